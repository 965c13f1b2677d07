"""`plainly ranking`: from judgements of pairs to a ranking of texts."""
