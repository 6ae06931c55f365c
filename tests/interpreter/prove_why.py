"""The long proof of why-not answers: `python -m tests.interpreter.prove_why --positions 2000 [RULESET ...]`."""

from __future__ import annotations

from argparse import ArgumentParser

from tests.interpreter.test_why import STACKS, walk


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("rulesets", nargs="*", help="default: all of them")
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=None, help="candidates a position; default all")
    arguments = parser.parse_args()
    for name, players in STACKS:
        if not arguments.rulesets or name in arguments.rulesets:
            print(name, dict(walk(name, players, arguments.positions, arguments.each, arguments.seed)), flush=True)


if __name__ == "__main__":
    main()
