"""Which parameter matters: Sobol's indices of a damped oscillator, by SALib over a study."""

import numpy as np
from SALib.analyze import sobol as analyze
from SALib.sample import sobol as sample

import saltus as sl

m = sl.Model(gravity=(0, 0, 0))
m.parameters = {"k": 100.0, "c": 1.0, "load": 1.0}
cart = m.point_mass(mass="load", at=(1, 0, 0), displacement=(0.1, 0, 0), name="cart")
m.spring(m.ground, cart, stiffness="k", damping="c", rest_length=1)

problem = {"num_vars": 3, "names": ["k", "c", "load"], "bounds": [[80.0, 120.0], [0.5, 2.0], [0.9, 1.1]]}
points = sample.sample(problem, 64, seed=1)
study = sl.study(m, dict(zip(problem["names"], points.T)), outputs={"peak": (cart.velocity.x, "max")}, simulate={"until": 1.0}, workers=2)

indices = analyze.analyze(problem, study.to_dataframe()["peak"].to_numpy(), print_to_console=False, seed=1)
for name, first, total in zip(problem["names"], indices["S1"], indices["ST"]):
    print(f"{name:5} first order {first:.2f}, in all {total:.2f}")
# The peak is about x0 sqrt(k/m) exp(-3 pi c / (4 sqrt(k m))): stiffness and damping decide.
assert np.argmin(indices["ST"]) == 2 and abs(sum(indices["S1"]) - 1) < 0.2
m.simulate(until=1.0).to_png("sensitivity.png")
