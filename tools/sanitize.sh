#!/bin/sh
# Builds the engine with gcc's sanitizers and runs the C++ tests and a set of Python models under them:
#   sh tools/sanitize.sh            both passes
#   sh tools/sanitize.sh address    memory and undefined behaviour: every C++ test, every model of the gallery, jointed bodies in
#                                   contact groups, mutated model files
#   sh tools/sanitize.sh thread     data races: the tests of the layers that start threads, a few models on two threads
# What they find is printed and stands in build/sanitize-PASS/findings; the exit status is 1 if anything was found or failed.
# Settings: JOBS (jobs of the build, default: all cores), MODELS (mutated model files, default 300).
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/tools/setup.sh"
cd "$root"
[ -x "$venv/bin/python" ] || set_up_saltus test
settings
compiler=${CXX:-g++}
export PATH="$venv/bin:$PATH"
failed=""

# One directory that Python takes for the package: the sources, and the engine of this tree.
package_of() {
  rm -rf "$1/package" && mkdir -p "$1/package/saltus"
  for entry in "$root"/python/saltus/*; do ln -s "$entry" "$1/package/saltus/"; done
  ln -s "$1"/src/python/_core*.so "$1"/src/python/_numerics*.so "$1/package/saltus/"
}

# checked NAME COMMAND...: its findings go to files of their own; what it fails by itself counts, too.
checked() {
  name=$1
  shift
  say "sanitize $pass: $name"
  options="log_path=$tree/findings/$name:print_stacktrace=1:halt_on_error=$halt:second_deadlock_stack=1:strict_init_order=1"
  ASAN_OPTIONS="$options:detect_stack_use_after_return=1:detect_leaks=$leaks" UBSAN_OPTIONS="$options:halt_on_error=0" TSAN_OPTIONS="$options" \
    nice -n 5 "$@" >"$tree/$name.log" 2>&1 || { failed="$failed, $pass $name"; tail -n 30 "$tree/$name.log"; }
}

sanitize() {
  pass=$1
  flags=$2
  tree="$root/build/sanitize-$pass"
  mkdir -p "$tree"
  rm -rf "$tree/findings" && mkdir "$tree/findings"
  say "sanitize $pass: builds (the first time takes some 20 minutes of one core)"
  cmake -S "$root" -B "$tree" -G Ninja -DCMAKE_BUILD_TYPE=Sanitize -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS_SANITIZE="-O1 -g1 -fno-omit-frame-pointer $flags" \
    -DPython_EXECUTABLE="$venv/bin/python" -DSALTUS_TESTS=ON -DSALTUS_PYTHON=ON -DSALTUS_BENCH=OFF -C "$venv/settings.cmake" >"$tree/configure.log"
  # shellcheck disable=SC2086
  nice -n 5 cmake --build "$tree" -j "${JOBS:-$(nproc)}" --target _core _numerics $(for layer in $3; do echo "saltus_${layer}_test"; done) >"$tree/build.log" ||
    { tail -n 40 "$tree/build.log"; die "sanitize $pass: does not build; see $tree/build.log"; }
  halt=0
  leaks=1
  for layer in $3; do checked "$layer" "$tree/src/saltus/$layer/saltus_${layer}_test" --gtest_brief=1; done
  # Python and its packages keep memory until the end, and are not built with the sanitizers themselves.
  leaks=0
  package_of "$tree"
  libraries=$("$compiler" -print-file-name="lib$4.so")
  checked models env LD_PRELOAD="$libraries $("$compiler" -print-file-name=libstdc++.so.6)" PYTHONPATH="$tree/package:$root/tests/python" PYTHONMALLOC=malloc \
    "$venv/bin/python" "$root/tools/sanitize_models.py" "$pass" "${MODELS:-300}"
  for finding in "$tree"/findings/*; do
    [ -e "$finding" ] || continue
    failed="$failed, $pass $(basename "$finding")"
    grep -hE 'runtime error|ERROR: |WARNING: ThreadSanitizer|SUMMARY|^ +#[0-5] ' "$finding" | head -n 40
  done
}

[ $# -gt 0 ] || set -- address thread
for asked in "$@"; do
  case $asked in
    address) sanitize address "-fsanitize=address,undefined" "base math problem solver model collision items system integrate study" asan ;;
    thread) sanitize thread "-fsanitize=thread" "base solver system integrate" tsan ;;
    *) die "takes address, thread or both" ;;
  esac
done
[ -z "$failed" ] || die "SANITIZERS FOUND: ${failed#, }"
say "the sanitizers found nothing: $*"
