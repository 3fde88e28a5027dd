#!/bin/sh
# Sets Saltus up in .venv where needed, then runs `saltus ARGS`; without arguments the main job, `saltus gallery`.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
. "$root/tools/setup.sh"
set_up_saltus
[ $# -gt 0 ] || set -- gallery
exec "$root/.venv/bin/saltus" "$@"
