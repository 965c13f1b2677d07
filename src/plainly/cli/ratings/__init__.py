"""`plainly ratings`: how good outputs are on scales, by the ratings of people."""
