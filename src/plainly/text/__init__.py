"""Languages, tokenisers, sentence splitting, syllables, word frequency. The language is always an argument."""
