"""EASSE's helpers: preprocessing, text, files, names of test sets."""
