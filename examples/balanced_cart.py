"""A sampled controller keeps a pole upright on a cart."""

import saltus as sl

m = sl.Model()
cart = m.box(size=(0.4, 0.2, 0.1), mass=1, name="cart")
pole = m.rod((0, 0, 0), (0.08, 0, 0.997), mass=0.2, name="pole")
rail = m.prismatic(m.ground, cart, axis="x", force=0.0, name="rail")
pin = m.revolute(cart, pole, at=(0, 0, 0), axis="y", name="pin")
names = {"x": cart.position.x, "v": cart.velocity.x, "a": pole.end.position.x, "w": pin.angular_rate}
m.controller("1.0*x + 2.5*v + 40*(a - x) + 8*w", period=0.01, inputs=names, outputs=[rail], name="balance")

result = m.simulate(until=8.0)
lean = result[pole.end.position.x] - result[cart.position.x]
print(f"leans {abs(lean).max():.3f} m at most, {abs(lean.last):.1e} m at the end")
assert abs(lean.last) < 5e-3 and abs(lean).max() < 0.3
result.to_png("balanced_cart.png", time=0.6)
