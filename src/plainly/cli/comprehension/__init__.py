"""`plainly comprehension`: what readers understand of texts, and experiments that find out."""
