"""Readability formulas: how hard a text is, guessed from the length of its sentences and words, of the output alone.

All sum their counts over the segments before they divide, so a corpus is scored as one running text. None of
them looks at meaning or grammar: an output that is short and wrong reads well. Read the counts, which every
score carries, before the grade.
"""
