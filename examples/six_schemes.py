"""One model under six schemes: three masses on springs, the last of which strikes a wall again and again."""

import matplotlib.pyplot as plt
import numpy as np

import saltus as sl
from saltus.items import GenericSystem, LinearRelation, NewtonImpact, NodeOde2


def swing(**how):
    m = sl.Model(gravity=(0, 0, 0))
    K = [[80.0, -40.0, 0.0], [-40.0, 80.0, -40.0], [0.0, -40.0, 40.0]]
    m.add(NodeOde2(name="x", count=3, coordinates=[0.0, 0.0, 0.0], velocities=[0.0, 1.0, 2.0]))
    m.add(GenericSystem(name="masses", node="x", mass_matrix=np.eye(3).tolist(), stiffness_matrix=K))
    places = [{"node": "x", "coordinate": i} for i in range(3)]
    m.add(LinearRelation(name="wall", on=places, matrix=[[0, 0, -1]], offset=[0.05], law=NewtonImpact(restitution=0.8)))
    return m.simulate(1.6, **how)


exact = swing(scheme="event_driven", tolerance=1e-12)
schemes = ("moreau_jean", "nonsmooth_generalized_alpha", "d1_minus", "schatzman_paoli", "exact_modal", "event_driven")
steps = (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)
figure, (motion, table) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for i, scheme in enumerate(schemes):
    runs = [swing(scheme=scheme, **({"tolerance": 0.01 * h} if scheme == "event_driven" else {"step": h})) for h in steps]
    errors = [float(np.abs(run["x.coordinate"].last - exact["x.coordinate"].last).max()) for run in runs]
    print(f"{scheme:28s}" + "".join(f"{error:10.1e}" for error in errors))
    motion.plot(runs[0].time, np.asarray(runs[0]["x.coordinate"])[:, 2] + 0.1 * i, color=f"C{i}", lw=1)
    table.loglog(steps, errors, "o--" if scheme == "exact_modal" else "o-", color=f"C{i}", label=scheme)  # on moreau_jean's
    assert errors[-1] < 0.01
motion.set(xlabel="t [s]", ylabel="last mass [m], each scheme 0.1 m higher", title="steps of 4 ms")
table.set(xlabel="step (event_driven: 100 times its tolerance)", ylabel="error at 1.6 s [m]")
table.set_xticks(steps, [f"{1e3 * h:g} ms" for h in steps], minor=False)
table.set_xticks([], minor=True)
table.legend(fontsize=7)
figure.savefig("six_schemes.png", dpi=100)
