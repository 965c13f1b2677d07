"""What every room stands on: errors, signatures, registries, exact sums, files, places, declarations, the version."""
