"""Nonsmooth cases that also have the numbers of Siconos 4.4.0."""
