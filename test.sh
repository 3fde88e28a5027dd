#!/bin/sh
# Sets Saltus up with its test tools and runs every test: C++ (ctest), Python (pytest), counts of instructions, the form of the sources.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
. "$root/tools/setup.sh"
set_up_saltus test
cd "$root"
settings
export PATH="$venv/bin:$PATH" CMAKE_BUILD_PARALLEL_LEVEL="${JOBS:-$(nproc)}"
tree=$(build_directory)
failed=""

# part NAME COMMAND...: runs one part of the tests; all parts run, and each that fails is named at the end.
part() {
  name=$1
  shift
  say "test: $name"
  "$@" || failed="$failed, $name"
}
cpp_tests() {
  cmake -DSALTUS_TESTS=ON -DSALTUS_BENCH=ON "$tree" >>build/setup.log && cmake --build "$tree" &&
    ctest --test-dir "$tree" --output-on-failure --no-tests=error
}
embedding() {
  cmake --install "$tree" --prefix "$tree/installed" --component engine >>build/setup.log &&
    cmake -S examples/cpp_embed -B "$tree/embed" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_PREFIX_PATH="$tree/installed;$("$venv/bin/python" -c \
        'import sysconfig; print(sysconfig.get_path("purelib"))')/cmeel.prefix" >>build/setup.log &&
    cmake --build "$tree/embed" && "$tree/embed/embed" examples/cpp_embed/ball.json >"$tree/embed/cpp.txt" &&
    "$venv/bin/python" examples/cpp_embed/main.py examples/cpp_embed/ball.json | diff "$tree/embed/cpp.txt" - && cat "$tree/embed/cpp.txt"
}
part "layers" "$venv/bin/python" tools/check_layers.py
part "items" "$venv/bin/python" tools/check_items.py
part "C++" cpp_tests
part "find_package" embedding
# By callgrind, to 3 %; says so where valgrind is missing or another compiler than that of the kept counts built the driver.
part "instructions" "$venv/bin/python" bench/counts.py --driver "$tree/bench/saltus_bench"
# In as many processes as there are cores; tests/conftest.py says which tests stay together.
part "Python" "$venv/bin/python" -m pytest -q --disable-warnings -n "$CMAKE_BUILD_PARALLEL_LEVEL" --dist loadgroup
# In Chromium; where it cannot be had, this says NOT RUN and why (SALTUS_BROWSER_TESTS=required: fails).
part "browser" "$venv/bin/python" tests/web/browser.py
if [ -n "$failed" ]; then
  say "TESTS FAILED: ${failed#, }"
  exit 1
fi
say "all tests passed: layers, items, C++, find_package, instructions, Python, browser (unless it says NOT RUN above)"
