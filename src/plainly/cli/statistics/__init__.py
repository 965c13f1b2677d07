"""The actions of `plainly statistics`, one file each."""
