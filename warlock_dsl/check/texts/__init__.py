"""The texts of a game: which keys a catalogue needs, and the names and expressions that may stand in each."""
