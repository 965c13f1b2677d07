"""Other toolkits' interfaces over plainly's metrics: change an import, keep the rest of the code."""
