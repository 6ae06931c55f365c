"""The commands of `warlock`, one a module with `add_arguments(parser)`, `run(arguments)` and EXAMPLES.

This table is all that `warlock --help` needs to know of them: no command is imported before it runs.
"""

from __future__ import annotations

GROUPS = {
    "play": "play",
    "write": "write rules",
    "test": "test rules",
    "compare": "compare rules",
    "measure": "measure",
    "other": "other",
}

COMMANDS: dict[str, tuple[str, str]] = {  # by name: the group, and what the command does
    "list": ("play", "list the games that can be played, and the overlays on them"),
    "play": ("play", "play a game at the terminal, or let bots play it"),
    "replay": ("play", "walk through a recorded game, or show how it ends"),
    "new": ("write", "write a commented starter: a small whole game, or a variant of one"),
    "check": ("write", "check a ruleset and print every error"),
    "fmt": ("write", "format .warlock files in the one canonical way"),
    "show": ("write", "show a rule or a figure as it is in force, and its source"),
    "lsp": ("write", "run the language server that editors start"),
    "rebase": ("write", "show what an overlay expects of its game and no longer finds, and take it over"),
    "names": ("write", "list the texts that a language lacks, and write a first draft of them"),
    "sources": ("write", "show which rules of the rulebooks are carried out, and by what"),
    "test": ("test", "run the scenarios of a file, a folder or a ruleset"),
    "fuzz": ("test", "play games that try to break the laws of a ruleset"),
    "coverage": ("test", "play many games and show which rules came up and which never did"),
    "mutate": ("test", "change the rules a little and show which changes no test notices"),
    "review": ("test", "give one verdict on a house rule: check, scenarios, laws, changes, effect, mutants"),
    "explore": ("test", "look at every state that a small game can reach"),
    "diff": ("compare", "show what two rulesets of one game do differently, with positions that prove it"),
    "derive": ("compare", "write the smallest overlay that turns one ruleset into another"),
    "sim": ("measure", "let bots play many games and show what happens in them"),
    "bench": ("measure", "measure games, decisions and copies a second, and loading times"),
    "docs": ("other", "print a page of the manual, or list the pages"),
    "completion": ("other", "print a script that completes commands and options in your shell"),
}

# Commands of packages of their own: what they do, and how the package is installed from a checkout. Such a package
# names its module in the entry points of ENTRY_POINTS.
PACKAGES = {"studio": ("edit rules and play them in a page on this machine", "pip install ./studio")}
ENTRY_POINTS = "warlock.commands"
