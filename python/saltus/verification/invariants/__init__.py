"""Laws that long runs must keep: constraints, energy, momentum, equal bits for any number of threads."""
