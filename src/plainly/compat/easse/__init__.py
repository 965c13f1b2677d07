"""EASSE's modules, names and arguments over plainly's metrics.

To come from EASSE, write `plainly.compat.easse` where the code says `easse`:

    from plainly.compat.easse.sari import corpus_sari

As in EASSE, names are imported from the submodules. `docs/easse.md` says what maps to what, and which faults of
EASSE are not carried over. Written from a description of EASSE 0.2.4's interface and from its numbers alone.
"""
