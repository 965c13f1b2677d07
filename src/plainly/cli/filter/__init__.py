"""`plainly filter`: choose training pairs by their scores."""
