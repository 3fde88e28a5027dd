# Sourced by run.sh and test.sh with `root` set: everything from an empty Debian or Ubuntu to an installed package.
# Each part writes its stamp last, so an interrupted run goes on where it stood; a second start only compares stamps.
# Settings: SALTUS_PYTHON (interpreter to build on), CXX and CC (compiler; `zig` takes the one of the package
# ziglang), ZIG_TARGET (for example x86_64-linux-gnu.2.31), SALTUS_ARCH (-march level of the engine), JOBS.
venv="$root/.venv"
build_tools="scikit-build-core>=0.11 nanobind>=2.4 cmake>=3.25 ninja cmeel-eigen>=3.4,<3.5 nlohmann-json>=3.12 \
numpy>=1.26 typer>=0.12 rich>=13 matplotlib>=3.8 h5py>=3.10 cloudpickle>=3 scipy>=1.11 ruamel.yaml>=0.18"
test_tools="pytest>=8 pytest-xdist>=3.6 nbclient>=0.10 ipykernel>=6 hypothesis>=6.100 jsonschema>=4 pandas>=2.1 pyarrow>=15 xarray>=2024.1 distributed>=2024.1 SALib>=1.4.7 fmpy>=0.3.20${SALTUS_TYPE_TESTS:+ pyright[nodejs]>=1.1.380}"

say() { printf 'saltus: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
hash_of() { sha256sum | cut -c 1-64; }

# One hash over what the package is made of; names and contents, never times.
source_stamp() {
  { printf '%s\n' "$root" "${CC-}" "${CXX-}" "${ZIG_TARGET-}" "${SALTUS_ARCH-}"
    readlink -f "$venv/bin/python" || true
    cd "$root" && find src cmake python CMakeLists.txt pyproject.toml tools/setup.sh -name __pycache__ -prune \
      -o -type f ! -name '*_test.cpp' -exec sha256sum {} + | LC_ALL=C sort
  } | hash_of
}
stamped() { [ "$(cat "$1" 2>/dev/null)" = "$2" ]; }

# logged TITLE COMMAND...: runs it with its output in build/setup.log, whose end is shown when it fails.
logged() {
  say "$1"
  shift
  mkdir -p "$root/build"
  printf '\n== %s\n' "$*" >>"$root/build/setup.log"
  if ! "$@" >>"$root/build/setup.log" 2>&1; then
    tail -n 40 "$root/build/setup.log" >&2
    die "failed: $*; the whole output is in build/setup.log"
  fi
}

python_program() {
  for candidate in ${SALTUS_PYTHON-} python3 python3.13 python3.12 python3.11 python3.10; do
    if have "$candidate" && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      echo "$candidate"; return
    fi
  done
  return 1
}
has_venv() { "$1" -c 'import venv, ensurepip' 2>/dev/null; }
has_headers() {
  "$1" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' 2>/dev/null
}
compiler() {
  if [ -n "${CXX-}" ]; then [ "$CXX" != zig ]; else have c++ || have g++ || have clang++; fi
}

# What only the system's package manager gives. Without root: Python must be there; the rest is found otherwise.
system_packages() {
  wanted=""
  python=$(python_program) || { python=""; wanted="python3 python3-venv python3-dev"; }
  if [ -n "$python" ]; then
    has_venv "$python" || wanted="$wanted python3-venv"
    has_headers "$python" || wanted="$wanted python3-dev"
  fi
  compiler || [ "${CXX-}" = zig ] || wanted="$wanted g++"
  wanted="$wanted${1:+ $1}"
  [ -n "${wanted# }" ] || return 0
  if [ "$(id -u)" -ne 0 ] || ! have apt-get; then return 0; fi
  export DEBIAN_FRONTEND=noninteractive
  logged "updates the list of system packages" apt-get update
  # shellcheck disable=SC2086
  logged "installs$wanted" apt-get install -y --no-install-recommends $wanted
}

# Without root: the named Debian packages, unpacked under .venv/system.
unpacked() {
  have apt-get && have dpkg-deb || return 1
  mkdir -p "$venv/system/lists/partial" "$venv/system/archives/partial"
  (
    cd "$venv/system/archives"
    for name in "$@"; do
      apt-get download "$name" || {
        apt-get -o Dir::State::Lists="$venv/system/lists" -o Debug::NoLocking=1 update &&
          apt-get -o Dir::State::Lists="$venv/system/lists" -o Dir::Cache="$venv/system" download "$name"
      } || exit 1
    done
    for archive in ./*.deb; do dpkg-deb -x "$archive" "$venv/system" || exit 1; done
  ) >>"$root/build/setup.log" 2>&1
}

make_venv() {
  [ -x "$venv/bin/python" ] && stamped "$venv/made" "$root" && return
  python=$(python_program) || die "no Python 3.10 or newer; install python3 (as root this script does it)"
  rm -rf "$venv"
  if has_venv "$python"; then
    logged "makes .venv" "$python" -m venv "$venv"
  else
    logged "makes .venv without ensurepip" "$python" -m venv --without-pip "$venv"
    say "takes pip from the package python3-pip-whl"
    unpacked python3-pip-whl || die "no pip: install python3-venv"
    pip_wheel=$(find "$venv/system/usr/share/python-wheels" -name 'pip-*.whl' | head -n 1)
    logged "installs pip" "$venv/bin/python" "$pip_wheel/pip" install --no-index "$pip_wheel"
  fi
  printf '%s' "$root" >"$venv/made"
}

# install_tools NAME PACKAGES: once; a changed list is installed again.
install_tools() {
  stamped "$venv/$1" "$2" && return
  # An install that was cut leaves packages of which only a part is there: begin anew.
  if [ -e "$venv/installing" ]; then rm -rf "$venv"; make_venv; fi
  : >"$venv/installing"
  # shellcheck disable=SC2086
  logged "installs the $1 into .venv" "$venv/bin/python" -m pip install --disable-pip-version-check $2
  rm "$venv/installing"
  printf '%s' "$2" >"$venv/$1"
}

zig_compiler() {
  install_tools "compiler" "ziglang>=0.13"
  for tool in cc c++ ar ranlib; do
    { echo '#!/bin/sh'
      echo "exec \"$venv/bin/python\" -I -m ziglang $tool$([ "$tool" = ar ] || [ "$tool" = ranlib ] ||
        echo "${ZIG_TARGET:+ -target $ZIG_TARGET}") \"\$@\""
    } >"$venv/bin/zig-$tool"
    chmod +x "$venv/bin/zig-$tool"
  done
  export CC="$venv/bin/zig-cc" CXX="$venv/bin/zig-c++" ZIG_GLOBAL_CACHE_DIR="$venv/zig-cache"
  set_define CMAKE_AR "$venv/bin/zig-ar"
  set_define CMAKE_RANLIB "$venv/bin/zig-ranlib"
}

# Definitions go to CMake by a file of initial cache values, which allows spaces in them.
set_define() { printf 'set(%s "%s" CACHE STRING "" FORCE)\n' "$1" "$2" >>"$venv/settings.cmake"; }

settings() {
  : >"$venv/settings.cmake"
  compiler || zig_compiler
  python="$venv/bin/python"
  if ! has_headers "$python"; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    say "takes Python's headers from the package libpython$version-dev"
    unpacked "libpython$version-dev" || die "no Python.h: install python3-dev"
    headers="$venv/system/usr/include"
    set_define Python_INCLUDE_DIR "$headers/python$version"
    export CPLUS_INCLUDE_PATH="$headers${CPLUS_INCLUDE_PATH:+:$CPLUS_INCLUDE_PATH}"
  fi
  arch=${SALTUS_ARCH-}
  if [ -z "$arch" ] && [ "$(uname -m)" = x86_64 ]; then
    arch=x86-64-v2
    if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then arch=x86-64-v3; fi
  fi
  # zig writes the same levels with underscores
  case "${CXX-}" in */zig-c++) arch=$(echo "$arch" | tr - _) ;; esac
  [ -z "$arch" ] || set_define SALTUS_ARCH "$arch"
}

build_directory() {
  "$venv/bin/python" -c 'import sys, sysconfig
major, minor = sys.version_info[:2]
abi = "cp312-abi3" if minor >= 12 else f"cp{major}{minor}-cp{major}{minor}"
print(sys.argv[1] + "/build/" + abi + "-" + sysconfig.get_platform().replace("-", "_").replace(".", "_"))' "$root"
}

install_package() {
  settings
  export PATH="$venv/bin:$PATH" CMAKE_BUILD_PARALLEL_LEVEL="${JOBS:-$(nproc)}"
  logged "builds the engine (a first build takes minutes)" "$venv/bin/python" -m pip install \
    --disable-pip-version-check --no-build-isolation --no-deps --no-index --force-reinstall \
    --config-settings build-dir="$(build_directory)" --config-settings cmake.args=-C"$venv/settings.cmake" "$root"
}

# set_up_saltus [test]: the package, installed from these sources; with `test` the test tools, too.
set_up_saltus() {
  if [ "${1-}" != test ] && [ -x "$venv/bin/saltus" ] && stamped "$venv/package" "$(source_stamp)"; then return; fi
  mkdir -p "$root/build"
  if have flock; then exec 9>"$root/build/setup.lock"; flock 9; fi
  : >"$root/build/setup.log"
  system_packages "$([ "${1-}" != test ] || [ -e /usr/include/gtest/gtest.h ] || echo libgtest-dev)"
  make_venv
  install_tools "build tools" "$build_tools"
  [ "${1-}" != test ] || install_tools "test tools" "$test_tools"
  stamp=$(source_stamp)
  if ! stamped "$venv/package" "$stamp"; then
    rm -f "$venv/package"
    install_package
    printf '%s' "$stamp" >"$venv/package"
  fi
  if have flock; then exec 9>&-; fi
}
