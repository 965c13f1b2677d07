"""Models: encoders and parsers, imported when they are used."""
