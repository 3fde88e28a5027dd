"""mujoco's side of the benchmark: `mujoco_bench.py WORKLOAD SIZE STEPS`, one line of JSON as saltus_bench prints.

STEPS of 1 ms; COARSER of them are one step here, as coarse as its error allows beside the others'."""

import json
import math
import sys
import time

import mujoco

HEAD = '<mujoco><option timestep="{h}" gravity="{g}" integrator="{integrator}" {more}><flag contact="disable" {flags}/></option><worldbody>'


def pendulum_chain(size):
    """Rods on ball joints in minimal coordinates: Runge-Kutta."""
    rod = '<inertial mass="1" pos="0.05 0 0" diaginertia="2e-4 8.333333333333333e-4 8.333333333333333e-4"/>'
    body = "".join(f'<body name="b{i}" pos="{0.1 if i else 0} 0 0"><joint type="ball"/>{rod}' for i in range(size)) + "</body>" * size
    return HEAD.format(h="{h}", g="0 0 -9.81", integrator="RK4", more="", flags="") + body + "</worldbody></mujoco>", f"b{size - 1}", 3


def four_bar(size):
    """Upright rods on hinges, couplers hinged to them, closed by connect constraints, as stiff as they can be."""
    angle = 0.5 - 0.5 * math.pi
    inertial = '<inertial mass="1" pos="{} {} 0" diaginertia="{} {} 0.08333333333333333"/>'
    text = HEAD.format(h="{h}", g="0 -9.81 0", integrator="RK4", more='iterations="100" tolerance="1e-12"', flags="")
    for i in range(size + 1):
        text += f'<body name="r{i}" pos="{i} 0 0" euler="0 0 {math.degrees(angle)}"><joint type="hinge" axis="0 0 1"/>' + inertial.format(0.5, 0, 1e-3, 1 / 12)
        if i < size:
            text += f'<body name="c{i}" pos="1 0 0" euler="0 0 {-math.degrees(angle)}"><joint type="hinge" axis="0 0 1"/>' + inertial.format(0.5, 0, 1e-3, 1 / 12) + "</body>"
        text += "</body>"
    text += "</worldbody><equality>"
    for i in range(size):
        text += f'<connect body1="c{i}" body2="r{i + 1}" anchor="1 0 0" solref="{{r}} 1" solimp="0.9999 0.9999 0.001"/>'
    return text + "</equality></mujoco>", f"r{size}", 2


def sphere_stack(size):
    """Spheres above each other, 1 mm apart, on a plane."""
    text = '<mujoco><option timestep="{h}" gravity="0 0 -9.81" tolerance="1e-10"/><worldbody><geom type="plane" size="1 1 1" friction="0.5 0 0" solref="{r} 1"/>'
    for i in range(size):
        text += f'<body name="s{i}" pos="0 0 {0.101 + 0.201 * i}"><freejoint/><inertial mass="1" pos="0 0 0" diaginertia="0.004 0.004 0.004"/>'
        text += '<geom type="sphere" size="0.1" friction="0.5 0 0" solref="{r} 1"/></body>'
    return text + "</worldbody></mujoco>", f"s{size - 1}", 3


WORKLOADS = {"pendulum_chain": pendulum_chain, "four_bar_2d": four_bar, "four_bar_3d": four_bar, "sphere_stack": sphere_stack}
COARSER = {"pendulum_chain": 10, "four_bar_2d": 10, "four_bar_3d": 10}


def main():
    """Build, run, print."""
    name, size, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    text, last, count = WORKLOADS[name](size)
    coarser = int(sys.argv[4]) if len(sys.argv) > 4 else COARSER.get(name, 1)
    h = 1e-3 * coarser
    model = mujoco.MjModel.from_xml_string(text.replace("{h}", f"{h}").replace("{r}", f"{2 * h}"))
    data = mujoco.MjData(model)
    start = time.process_time()
    for _ in range(steps // coarser):
        mujoco.mj_step(model, data)
    seconds = time.process_time() - start
    mujoco.mj_forward(model, data)
    probes = [float(x) for x in data.body(last).xipos[:count]]
    if name == "sphere_stack":
        probes = [float(data.body("s0").xpos[2]), float(data.body(last).xpos[2])]
    print(json.dumps({"program": "mujoco", "workload": name, "size": size, "steps": steps, "cpu": seconds, "probes": probes}))


main()
