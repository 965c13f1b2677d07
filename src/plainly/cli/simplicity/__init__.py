"""`plainly simplicity`: how simple is a text, and why?"""
