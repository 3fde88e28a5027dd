"""Cost of an impact that is located: event_driven beside Siconos' LsodarOSI. `python bench/peers/events.py [--siconos-python PATH]`.

A ball with restitution 0.8 from 1 m, up to its 40th impact: the closed form tells the error of each time. CPU time of the steps alone (of Saltus the run less one
without impacts) and of the whole run, least of `--repeat`, over the impacts that each program made; Siconos has one interval of its grid, so that it stops at impacts alone, and
goes on behind the end to where impacts accumulate."""

import argparse
import json
import subprocess
import sys
import time

RESTITUTION, HEIGHT, GRAVITY, IMPACTS = 0.8, 1.0, 9.81, 40


def exact() -> list[float]:
    first = (2 * HEIGHT / GRAVITY) ** 0.5
    return [first * (1 + 2 * sum(RESTITUTION**k for k in range(1, n))) for n in range(1, IMPACTS + 1)]


def end() -> float:
    """Halfway to the next impact."""
    return exact()[-1] + (2 * HEIGHT / GRAVITY) ** 0.5 * RESTITUTION**IMPACTS


def siconos() -> dict[str, float]:
    import numpy as np
    import siconos.kernel as sk

    start = time.process_time()
    ball = sk.LagrangianLinearTIDS([HEIGHT], [0.0], np.eye(1))
    ball.setFExtPtr([-GRAVITY])
    floor = sk.Interaction(sk.NewtonImpactNSL(RESTITUTION), sk.LagrangianLinearTIR([[1.0]]))
    system = sk.NonSmoothDynamicalSystem(0.0, end())
    system.insertDynamicalSystem(ball)
    system.link(floor, ball)
    run = sk.EventDriven(system, sk.TimeDiscretisation(0.0, end()), 0)
    run.insertIntegrator(sk.LsodarOSI())
    run.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_IMPACT)
    run.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_SMOOTH_ACC)
    times = []
    still = time.process_time() - start
    while run.hasNextEvent():
        run.advanceToEvent()
        run.processEvents()
        if abs(ball.q()[0]) < 1e-9 and (not times or run.startingTime() > times[-1] + 1e-7):
            times.append(run.startingTime())
    return report(times, time.process_time() - start, still)


def saltus() -> dict[str, float]:
    start = time.process_time()
    times = bounce(end())
    whole = time.process_time() - start
    start = time.process_time()
    bounce(0.9 * exact()[0])
    return report(times, whole, time.process_time() - start)


def bounce(until: float) -> list[float]:
    import saltus as sl
    from saltus.items import CoordinateGap, Mass1d, NewtonImpact, Node1d

    m = sl.Model(gravity=(0, 0, 0))
    m.add(Node1d(name="x", coordinate=HEIGHT))
    m.add(Mass1d(node="x", mass=1.0))
    m.add(sl.items.CoordinateLoad(on={"node": "x", "coordinate": 0}, force=-GRAVITY))
    m.add(CoordinateGap(on={"node": "x", "coordinate": 0}, law=NewtonImpact(restitution=RESTITUTION)))
    return [event[0] for event in m.simulate(until, scheme="event_driven").events if event[1] == "impact"]


def report(times: list[float], whole: float, still: float) -> dict[str, float]:
    return {"impacts": len(times), "error": max((abs(a - b) for a, b in zip(times, exact(), strict=False)), default=float("nan")), "whole": whole, "still": still}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--siconos-python", default="/usr/bin/python3")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--run", choices=("saltus", "siconos"), help="one of them, as JSON")
    arguments = parser.parse_args()
    if arguments.run:
        runs = [globals()[arguments.run]() for _ in range(arguments.repeat)]
        print(json.dumps({key: min(run[key] for run in runs) if key in ("still", "whole") else runs[0][key] for key in runs[0]}))
        return
    for name, python in (("saltus", sys.executable), ("siconos", arguments.siconos_python)):
        out = subprocess.run([python, __file__, "--run", name, "--repeat", str(arguments.repeat)], capture_output=True, text=True)
        if out.returncode:
            print(f"{name}: not there or failed: {out.stderr.strip().splitlines()[-1]}")
            continue
        row = json.loads(out.stdout)
        print(f"{name:8s} {row['impacts']:3d} impacts, worst time off by {row['error']:.1e} s; {1e6 * (row['whole'] - row['still']) / row['impacts']:7.2f} us an impact in the steps, {1e6 * row['whole'] / row['impacts']:7.2f} us with everything")


if __name__ == "__main__":
    main()
