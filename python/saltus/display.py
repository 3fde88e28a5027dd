"""Where pictures are shown: matplotlib with and without a display, a notebook."""

from __future__ import annotations

import os
import sys

from saltus.errors import missing_extra


def pyplot():
    """matplotlib.pyplot, with a backend that needs no display where there is none."""
    try:
        import matplotlib
    except ImportError:
        raise missing_extra("plot", "plot") from None
    if headless() and "matplotlib.pyplot" not in sys.modules and not os.environ.get("MPLBACKEND"):  # a notebook names its own
        matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def headless() -> bool:
    """Whether there is no display to open windows on."""
    return sys.platform.startswith("linux") and not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY")


def notebook():
    """The display function of a notebook, None elsewhere: what it is given stands below the cell."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return display
