"""Trying to break the laws of a game: play that looks for violations, and what it found made small."""
