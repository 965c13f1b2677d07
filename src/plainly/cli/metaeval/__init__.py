"""`plainly metaeval`: which metric agrees with people, and a metric learned from their ratings."""
