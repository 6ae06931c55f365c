"""The generated backend: from the intermediate form to Python source that plays the same game, faster."""
