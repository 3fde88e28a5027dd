"""Configuration of the documentation: `sh docs/build.sh`, or `python -m sphinx -W docs build/docs`."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import item_pages  # noqa: E402

import saltus  # noqa: E402,F401  (a clear error where the package is not installed)

project = "Saltus"
copyright = "the Saltus developers"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx-mathjax-offline"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["build", "_build"]
html_theme = "furo"
html_title = "Saltus"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
suppress_warnings = ["myst.header"]

html_static_path = ["pictures", "_static"]
html_css_files = ["saltus.css"]
html_js_files = ["saltus.js"]
html_show_search_summary = False  # it reads the pages over the network, which a browser refuses to pages from a disk
html_copy_source = False

item_pages.write(HERE / "items")
item_pages.write_gallery(HERE)


def linked(app, name, source):
    """On the page that compares class by class, each name leads to where it is described."""
    if name != "parity":
        return
    from saltus import _core

    homes = {entry["name"]: f"items/{entry['family']}/{entry['name']}" for entry in _core.items()} | dict.fromkeys(_core.schemes(), "schemes")
    text = re.sub(r"`m\.(\w+)`", r"{py:obj}`m.\1 <saltus.Model.\1>`", source[0])
    text = re.sub(r"`sl\.(\w+)`", r"{py:obj}`sl.\1 <saltus.\1>`", text)
    source[0] = re.sub(r"(?<![}\w])`(\w+)`", lambda m: f"{{doc}}`{m[1]} <{homes[m[1]]}>`" if m[1] in homes else m[0], text)


def setup(app):
    app.connect("source-read", linked)
