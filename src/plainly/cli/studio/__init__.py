"""`plainly studio`: the studio, and what can be done with it without the web."""
