"""Runs a model file for two seconds and prints its certificate: `python main.py ball.json`. main.cpp beside it is the same program in C++."""

import sys

import saltus as sl

try:
    model = sl.Model.load(sys.argv[1] if len(sys.argv) > 1 else "ball.json")
    result = model.simulate(until=2.0, scheme="event_driven")
except sl.ModelError as error:
    print(error, file=sys.stderr)
    sys.exit(2)

report, residual = result.report, result.report["residual"]
impacts = sum(kind == "impact" for _, kind, _, _ in result.events)
print(f"{report['status']} at t = {report['t']:g} s after {report['steps']} steps, {impacts} impacts")
print(f"residuals: equations {residual['equations']:.0e}, constraints {residual['constraints']:.0e}, laws {residual['laws']:.0e}")
print(f"energy: {report['energy_start']:.9g} J -> {report['energy_end']:.9g} J")
height = result["ball.position.z"]
print(f"ball.position.z = {height.last:.9g} {height.unit}")
