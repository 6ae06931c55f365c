"""The commands of `warlock`, one a module; each takes the parsed arguments and gives an exit code."""
