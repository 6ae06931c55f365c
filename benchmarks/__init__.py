"""Side-by-side runs: how fast games from data play, beside other frameworks and beside themselves."""
