"""From a checked, lowered ruleset to the program of the fast machine: tables, pool and code in one image of bytes."""
