"""Run by check_wheel.sh and cibuildwheel where only the wheel is installed: the first program of the README, and what a missing extra says."""

from __future__ import annotations

import importlib.util
import sys
import time

start = time.perf_counter()
import saltus as sl  # noqa: E402

taken = time.perf_counter() - start
assert sys.prefix in sl.__file__, f"saltus comes from {sl.__file__}, not from the wheel"

m = sl.Model()
A, B, C = (0, 0.1, 0.12), (0, 0.18, 0.12), (0.2078461, 0, 0)
crank, rod = m.rod(A, B, mass=0.1), m.rod(B, C, mass=0.2)
slider = m.box(size=(0.05, 0.05, 0.05), mass=1, at=C)
motor = m.revolute(m.ground, crank, at=A, axis="x", speed=6.2832)
m.spherical(crank, rod, at=B)
m.universal(rod, slider, at=C, axes=("y", "z"))
m.prismatic(m.ground, slider, at=C, axis="x")
result = m.simulate(until=0.3)
assert abs(result[motor.angle].last - 6.2832 * 0.3) < 1e-6, result[motor.angle].last
m.save("crank.json")
result.to_html("crank.html")
result.export("crank.csv")

for extra, module, call in (("plot", "matplotlib", lambda: result.plot(slider.position.x)), ("tables", "pandas", result.to_dataframe)):
    if importlib.util.find_spec(module) is None:
        try:
            call()
        except Exception as error:
            assert f"saltus[{extra}]" in str(error), f"a call without {module} does not name the extra: {error}"
        else:
            raise SystemExit(f"{module} is not there, and yet the call went through")
print(f"saltus {sl.__version__} with Python {sys.version.split()[0]}: imported in {taken:.2f} s, the first program runs")
