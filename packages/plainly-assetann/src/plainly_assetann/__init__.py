"""Weights of plainly's operation tagger that learned from ASSETann, under CC BY-NC 4.0. plainly finds them."""
