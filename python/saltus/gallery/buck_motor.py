"""A buck converter feeds a motor whose wheel slips on the ground until the cart has the speed of its rim."""

import saltus as sl

SUPPLY, DUTY, PERIOD = 24.0, 0.5, 1e-4
COIL, CAPACITOR = 1e-4, 1e-3
INDUCTANCE, RESISTANCE, CONSTANT = 1e-3, 1.0, 0.25
RADIUS, WHEEL, CART, LENGTH, HEIGHT, FRICTION = 0.025, 0.5, 2.0, 2.0, 0.02, 0.5


def model() -> sl.Model:
    m = sl.Model(planar=True, gravity=(0, -9.81, 0))
    supply, switched, output = m.terminal(name="supply"), m.terminal(name="switched"), m.terminal(name="output")
    m.voltage_source(supply, m.ground, voltage=SUPPLY)
    m.pwm_switch(supply, switched, period=PERIOD, duty=DUTY, name="switch")
    m.diode(m.ground, switched, name="freewheel")
    coil = m.inductor(switched, output, L=COIL, name="coil")
    m.capacitor(output, m.ground, C=CAPACITOR, name="smoothing")

    floor = m.plane(normal=(0, 1, 0), name="floor")
    cart = m.body(mass=CART, inertia=CART * (LENGTH**2 + HEIGHT**2) / 12, at=(0, RADIUS, 0), name="cart")  # a long bar of lead keeps it level on its axle
    m.shape("box", cart, size=(0.24, 0.03, 0.05), at=(0, 0.05, 0), name="deck")
    wheel = m.sphere(radius=RADIUS, mass=WHEEL, at=(0, RADIUS, 0), name="wheel")
    axle = m.revolute(cart, wheel, at=(0, RADIUS, 0), name="axle")
    tread = m.contact(floor, wheel, friction=FRICTION, name="tread")
    motor = m.dc_motor(output, m.ground, axle, L=INDUCTANCE, R=RESISTANCE, k=CONSTANT, name="motor")
    m.outputs = {"output": output.voltage, "coil": coil.current, "motor": motor.current, "spin": wheel.angular_velocity, "speed": cart.velocity, "tread": tread.force}
    m.simulation = {"until": 0.4, "scheme": "moreau_jean", "step": 2e-6}
    return m
