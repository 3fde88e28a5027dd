"""A buck converter at a fixed step beside Siconos, both from Python. `python bench/peers/buck.py [--siconos-python PATH] [--periods N]`.

24 V, duty 0.5 at 10 kHz, 1 mH, 20 uF, 10 Ohm, ten steps of 10 us a period, started in its periodic motion but for the ripple. Saltus: pwm_switch and diode in a circuit, moreau_jean,
a state kept a period. Siconos: the same converter as two complementarities (the source's diode and the freewheel), Euler-Moreau, Lemke; the source is set in the loop.
CPU time of the whole run, least of `--repeat`; the mean voltage of the second half tells that both are right."""

import argparse
import json
import subprocess
import sys
import time

SUPPLY, DUTY, PERIOD, STEPS, L, C, R = 24.0, 0.5, 1e-4, 10, 1e-3, 2e-5, 10.0
MEAN = SUPPLY * DUTY


def siconos(periods: int) -> dict[str, float]:
    import numpy as np
    import siconos.kernel as sk

    start = time.process_time()
    converter = sk.FirstOrderLinearDS([MEAN / R, MEAN], np.array([[0, -1 / L], [1 / C, -1 / (R * C)]]))
    relation = sk.FirstOrderLinearTIR(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[0.0, 1 / L], [0.0, 0.0]]))  # (current of the source's diode, voltage behind it)
    relation.setDPtr(np.array([[0.0, 1.0], [-1.0, 0.0]]))
    source = sk.SiconosVector([-SUPPLY, 0.0])
    relation.setePtr(source)
    link = sk.Interaction(sk.ComplementarityConditionNSL(2), relation)
    system = sk.NonSmoothDynamicalSystem(0.0, periods * PERIOD)
    system.insertDynamicalSystem(converter)
    system.link(link, converter)
    h = PERIOD / STEPS
    run = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, h), sk.EulerMoreauOSI(0.5), sk.LCP())
    voltages = []
    for _ in range(periods):
        for k in range(STEPS):
            source.setValue(0, -SUPPLY if k < DUTY * STEPS else 0.0)
            run.computeOneStep()
            run.nextStep()
        voltages.append(converter.x()[1])
    return {"seconds": time.process_time() - start, "mean": float(np.mean(voltages[periods // 2 :]))}


def saltus(periods: int) -> dict[str, float]:
    import numpy as np

    import saltus as sl

    start = time.process_time()
    m = sl.Model()
    supply, switched, output = m.terminal(name="supply"), m.terminal(name="switched"), m.terminal(name="output")
    m.voltage_source(supply, m.ground, voltage=SUPPLY)
    m.pwm_switch(supply, switched, period=PERIOD, duty=DUTY)
    m.diode(m.ground, switched)
    m.inductor(switched, output, L=L, current=MEAN / R)
    m.capacitor(output, m.ground, C=C, voltage=MEAN)
    m.resistor(output, m.ground, R=R)
    m.outputs = {"output": output.voltage}
    result = m.simulate(periods * PERIOD, scheme="moreau_jean", step=PERIOD / STEPS, record=PERIOD)
    values = np.asarray(result["output"])
    return {"seconds": time.process_time() - start, "mean": float(values[len(values) // 2 :].mean())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--siconos-python", default="/usr/bin/python3")
    parser.add_argument("--periods", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--run", choices=("saltus", "siconos"), help="one of them, as JSON")
    arguments = parser.parse_args()
    if arguments.run:
        runs = [globals()[arguments.run](arguments.periods) for _ in range(arguments.repeat)]
        print(json.dumps(min(runs, key=lambda run: run["seconds"])))
        return
    seconds = {}
    for name, python in (("saltus", sys.executable), ("siconos", arguments.siconos_python)):
        out = subprocess.run([python, __file__, "--run", name, "--repeat", str(arguments.repeat), "--periods", str(arguments.periods)], capture_output=True, text=True)
        if out.returncode:
            print(f"{name}: not there or failed: {out.stderr.strip().splitlines()[-1]}")
            continue
        row = json.loads(out.stdout)
        seconds[name] = row["seconds"]
        print(f"{name:8s} mean {row['mean']:.4f} V; {1e6 * row['seconds'] / arguments.periods:7.2f} us a period, {60 * arguments.periods / row['seconds']:.3g} periods a CPU minute")
    if len(seconds) == 2:
        print(f"saltus is {seconds['siconos'] / seconds['saltus']:.1f} times as fast")


if __name__ == "__main__":
    main()
