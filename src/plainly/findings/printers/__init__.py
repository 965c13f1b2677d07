"""The forms in which findings are printed, one module each; its name is the name of the form."""
