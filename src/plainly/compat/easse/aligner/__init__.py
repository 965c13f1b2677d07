"""The monolingual word aligner over CoreNLP parses: names only."""

WHY = "the word aligner needs CoreNLP parses; give WordOperationAnnotator your own alignment function instead"
