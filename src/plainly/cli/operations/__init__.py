"""`plainly operations`: what did the simplifier do, and what do metrics make of it?"""
