"""Scoring in the studio: what is asked for, the one thread that does it, and how runs compare."""
