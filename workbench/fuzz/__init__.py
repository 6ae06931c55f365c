"""Trying to break the laws of a game: play that looks for trouble, and what it found made small."""
