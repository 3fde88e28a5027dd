#!/bin/sh
# Builds the documentation into build/docs with Saltus installed in .venv; the pages need no network afterwards.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/tools/setup.sh"
set_up_saltus
documentation_tools="sphinx myst-parser furo sphinx-mathjax-offline"
"$venv/bin/python" -m pip show -q $documentation_tools 2>/dev/null ||
  logged "installs the documentation tools into .venv" "$venv/bin/python" -m pip install -q $documentation_tools
"$venv/bin/python" -m sphinx -W --keep-going -q "$root/docs" "$root/build/docs"
say "documentation: build/docs/index.html"
