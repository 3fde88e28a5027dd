"""Smooth multibody cases that also have the numbers of exudyn 1.13.6."""
