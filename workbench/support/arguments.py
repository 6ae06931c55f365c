"""Arguments that several commands take: the same word, the same meaning, the same help text everywhere."""

from __future__ import annotations

from argparse import Action, ArgumentParser, ArgumentTypeError, _ArgumentGroup

RULESET = "a game, or a game with overlays (maldorf+fr), by name or by the path of its folder"
Place = ArgumentParser | _ArgumentGroup


# ---------------------------------------------------------------------- values


def seed(text: str) -> int:
    if len(text) > 78 or not text.lstrip("-").isdecimal() or abs(int(text)) >= 1 << 256:
        raise ArgumentTypeError(f"'{text[:20]}' is not a whole number of at most 77 digits")
    return int(text)


def count(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise ArgumentTypeError(f"'{text[:20]}' is not a whole number of at most 9 digits")
    return int(text)


def positive(text: str) -> int:
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise ArgumentTypeError(f"'{text[:20]}' is not a whole number from 1")
    return int(text)


def percent(text: str) -> float:
    if not text.replace(".", "", 1).isdecimal() or len(text) > 9 or float(text) > 100:
        raise ArgumentTypeError(f"'{text[:20]}' is not a percentage from 0 to 100")
    return float(text)


def seconds(text: str) -> float:
    if not text.replace(".", "", 1).isdecimal() or len(text) > 9 or float(text) <= 0:
        raise ArgumentTypeError(f"'{text[:20]}' is not a number of seconds above 0")
    return float(text)


# ------------------------------------------------------------------- arguments


NAMES = "warlock list --names 2>/dev/null"  # asked when they are needed: they depend on the folder one is in
COMPLETES: dict[str, dict[str, object]] = {  # what a shell completes an argument with, as shtab reads it
    "ruleset": {
        "bash": "_warlock_rulesets",
        "zsh": f"($({NAMES}))",
        "fish": f"({NAMES}; __fish_complete_directories)",
        "preamble": {"bash": f'_warlock_rulesets() {{ compgen -W "$({NAMES})" -- "$1"; compgen -d -- "$1"; }}'},
    },
    "file": {"bash": "_shtab_compgen_files", "zsh": "_files", "fish": "(__fish_complete_path (commandline -ct))"},
    "folder": {"bash": "_shtab_compgen_dirs", "zsh": "_files -/", "fish": "(__fish_complete_directories)"},
}


def completes(action: Action, what: str) -> None:
    """Say what a shell completes an argument with: "ruleset", "file" or "folder"."""
    action.complete = COMPLETES[what]  # type: ignore[attr-defined]  # an attribute of shtab's


def add_ruleset(place: Place, name: str = "ruleset", about: str = RULESET, metavar: str = "RULESET") -> None:
    """A ruleset, as a positional argument or as an option."""
    completes(place.add_argument(name, metavar=metavar, help=about), "ruleset")


def add_rulesets(place: Place, name: str, about: str, metavar: str) -> None:
    """Any number of rulesets."""
    completes(place.add_argument(name, metavar=metavar, nargs="*", help=about), "ruleset")


def add_file(place: Place, name: str, about: str) -> None:
    completes(place.add_argument(name, metavar="FILE", help=about), "file")


def add_folder(place: Place, name: str, about: str) -> None:
    completes(place.add_argument(name, metavar="FOLDER", help=about), "folder")


def add_players(place: Place, default: str) -> None:
    place.add_argument("--players", type=positive, metavar="N", help=f"how many play (default {default})")


def add_seats(place: Place, about: str) -> None:
    place.add_argument("--seats", metavar="S,S,...", help=about)


def add_seed(place: Place, about: str, default: int | None = 0) -> None:
    shown = "a random one" if default is None else str(default)
    place.add_argument("--seed", type=seed, default=default, metavar="N", help=f"{about} (default {shown})")


def add_games(place: Place, about: str, default: int | None = None, *short: str) -> None:
    """How many games; without a default the help text says what happens when it is not given."""
    shown = "" if default is None else f" (default {default})"
    place.add_argument(*short, "--games", type=positive, default=default, metavar="N", help=f"{about}{shown}")


def add_seconds(place: Place, about: str, default: float | None = None) -> None:
    place.add_argument("--seconds", type=seconds, default=default, metavar="S", help=about)


def add_max_decisions(place: Place, default: int) -> None:
    about = f"give a game up after at most N decisions (default {default})"
    place.add_argument("--max-decisions", type=positive, default=default, metavar="N", help=about)


def add_jobs(place: Place) -> None:
    place.add_argument(
        "--jobs", type=count, default=0, metavar="N", help="how many processes (default 0: one for each core)"
    )


def add_checkpoint(place: Place) -> None:
    add_file(place, "--checkpoint", "keep what is done in this file; the same command goes on from there")


def add_lang(place: Place, default: str | None = None) -> None:
    about = f"the language of names and labels (default {default or 'that of the edition, else en'})"
    place.add_argument("--lang", metavar="LANGUAGE", help=about)


def output(parser: ArgumentParser) -> _ArgumentGroup:
    """The group of what a command prints and writes; every report can be had as JSON."""
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="print one JSON object")
    return group
