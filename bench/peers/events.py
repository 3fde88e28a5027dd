"""Cost of an impact that is located: event_driven beside Siconos' LsodarOSI. `python bench/peers/events.py [--balls N] [--siconos-python PATH]`.

Balls with restitution 0.8, the lowest from 1 m, each higher one by 7 %, up to the lowest's 40th impact: the closed form tells the error of each time. CPU time of the steps alone (of Saltus the run less one
without impacts) and of the whole run, least of `--repeat`, over the impacts that each program made; Siconos has one interval of its grid, so that it stops at impacts alone, and
goes on behind the end to where impacts accumulate."""

import argparse
import json
import subprocess
import sys
import time

RESTITUTION, HEIGHT, GRAVITY, IMPACTS = 0.8, 1.0, 9.81, 40


def heights(balls: int) -> list[float]:
    return [HEIGHT * (1.0 + 0.07 * i) for i in range(balls)]


def of_one(height: float, impacts: int) -> list[float]:
    first = (2 * height / GRAVITY) ** 0.5
    return [first * (1 + 2 * sum(RESTITUTION**k for k in range(1, n))) for n in range(1, impacts + 1)]


def end() -> float:
    """Halfway to the lowest ball's next impact."""
    return of_one(HEIGHT, IMPACTS)[-1] + (2 * HEIGHT / GRAVITY) ** 0.5 * RESTITUTION**IMPACTS


def exact(balls: int) -> list[float]:
    last = end()
    return sorted(t for height in heights(balls) for t in of_one(height, IMPACTS) if t < last)


def siconos(balls: int) -> dict[str, float]:
    import numpy as np
    import siconos.kernel as sk

    start = time.process_time()
    system = sk.NonSmoothDynamicalSystem(0.0, end())
    all_balls = [sk.LagrangianLinearTIDS([height], [0.0], np.eye(1)) for height in heights(balls)]
    for ball in all_balls:
        ball.setFExtPtr([-GRAVITY])
        system.insertDynamicalSystem(ball)
        system.link(sk.Interaction(sk.NewtonImpactNSL(RESTITUTION), sk.LagrangianLinearTIR([[1.0]])), ball)
    run = sk.EventDriven(system, sk.TimeDiscretisation(0.0, end()), 0)
    run.insertIntegrator(sk.LsodarOSI())
    run.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_IMPACT)
    run.insertNonSmoothProblem(sk.LCP(), sk.SICONOS_OSNSP_ED_SMOOTH_ACC)
    times = []
    still = time.process_time() - start
    while run.hasNextEvent():
        run.advanceToEvent()
        run.processEvents()
        if min(abs(ball.q()[0]) for ball in all_balls) < 1e-9 and (not times or run.startingTime() > times[-1] + 1e-7):
            times.append(run.startingTime())
    return report(balls, times, time.process_time() - start, still)


def saltus(balls: int) -> dict[str, float]:
    start = time.process_time()
    times = bounce(balls, end())
    whole = time.process_time() - start
    before = 0.9 * exact(balls)[0]
    start = time.process_time()
    bounce(balls, before)
    return report(balls, times, whole, time.process_time() - start)


def bounce(balls: int, until: float) -> list[float]:
    import saltus as sl
    from saltus.items import CoordinateGap, Mass1d, NewtonImpact, Node1d

    m = sl.Model(gravity=(0, 0, 0))
    for i, height in enumerate(heights(balls)):
        x = f"x{i}"
        m.add(Node1d(name=x, coordinate=height))
        m.add(Mass1d(node=x, mass=1.0))
        m.add(sl.items.CoordinateLoad(on={"node": x, "coordinate": 0}, force=-GRAVITY))
        m.add(CoordinateGap(on={"node": x, "coordinate": 0}, law=NewtonImpact(restitution=RESTITUTION)))
    return [event[0] for event in m.simulate(until, scheme="event_driven").events if event[1] == "impact"]


def report(balls: int, times: list[float], whole: float, still: float) -> dict[str, float]:
    return {"impacts": len(times), "error": max((abs(a - b) for a, b in zip(times, exact(balls), strict=False)), default=float("nan")), "whole": whole, "still": still}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--siconos-python", default="/usr/bin/python3")
    parser.add_argument("--balls", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--run", choices=("saltus", "siconos"), help="one of them, as JSON")
    arguments = parser.parse_args()
    if arguments.run:
        runs = [globals()[arguments.run](arguments.balls) for _ in range(arguments.repeat)]
        print(json.dumps({key: min(run[key] for run in runs) if key in ("still", "whole") else runs[0][key] for key in runs[0]}))
        return
    for name, python in (("saltus", sys.executable), ("siconos", arguments.siconos_python)):
        out = subprocess.run([python, __file__, "--run", name, "--balls", str(arguments.balls), "--repeat", str(arguments.repeat)], capture_output=True, text=True)
        if out.returncode:
            print(f"{name}: not there or failed: {out.stderr.strip().splitlines()[-1]}")
            continue
        row = json.loads(out.stdout)
        print(f"{name:8s} {row['impacts']:3d} impacts, worst time off by {row['error']:.1e} s; {1e6 * (row['whole'] - row['still']) / row['impacts']:7.2f} us an impact in the steps, {1e6 * row['whole'] / row['impacts']:7.2f} us with everything")


if __name__ == "__main__":
    main()
