"""Whole random games in C: the plain machine written once more, and a ruleset as the tables and functions it runs."""
