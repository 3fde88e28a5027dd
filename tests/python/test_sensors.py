"""Sensors sample, are late, round and add noise that a seed alone determines; filters of series."""

import numpy as np
import pytest

import saltus as sl


def moving(**given):
    m = sl.Model(gravity=(0, 0, 0))
    ball = m.sphere(radius=0.1, mass=1, at=(1, 0, 0))
    spring = m.spring(m.ground, ball, stiffness=4 * np.pi**2, rest_length=0.5)
    return m, ball, m.sensor(ball.position.x, period=0.01, **given), spring


def shown(result, sensor):
    """What it shows at the samples, behind each."""
    k = np.arange(1, round(result.time[-1] / 0.01))
    return 0.01 * k, result.at(0.01 * k)[sensor.value].values


def test_a_plain_sensor_holds_the_last_sample():
    m, ball, sensor, _ = moving()
    result = m.simulate(until=1.0)
    t, values = shown(result, sensor)
    assert np.allclose(values, result.at(t)[ball.position.x].values, rtol=0, atol=1e-12)
    assert np.allclose(result.at(t + 0.009)[sensor.value].values[:-1], values[:-1], rtol=0, atol=0)
    assert result[sensor.value].unit == "m"


def test_delay_quantization_and_offset_do_what_they_say():
    m, ball, sensor, _ = moving(delay=0.05, quantization=0.02, offset=0.3)
    result = m.simulate(until=1.0)
    t, values = shown(result, sensor)
    truth = 0.02 * np.floor((result.at(np.maximum(t - 0.05, 0.0))[ball.position.x].values + 0.3) / 0.02 + 0.5)
    assert np.allclose(values, truth, rtol=0, atol=1e-12)


def test_noise_is_normal_white_and_of_its_size():
    m, ball, sensor, _ = moving(noise=0.1, seed=7)
    other = m.sensor(ball.position.x, period=0.01, noise=0.1, seed=8)
    sensor.period = other.period = 1e-3
    m.outputs["x"] = sensor.value
    result = m.simulate(until=20.0)
    k = 1e-3 * np.arange(1, 20000)
    moment = result.at(k)
    noise, second = ((moment[s.value] - moment[ball.position.x]).values / 0.1 for s in (sensor, other))
    n = len(noise)
    assert abs(noise.mean()) < 4 / np.sqrt(n) and abs(noise.var() - 1) < 6 / np.sqrt(n)
    assert abs(np.mean(noise**3)) < 4 * np.sqrt(15 / n) and abs(np.mean(noise**4) - 3) < 4 * np.sqrt(96 / n)
    for late in (1, 2, 5):
        assert abs(np.mean(noise[late:] * noise[:-late])) < 4 / np.sqrt(n)
    assert abs(np.mean(noise * second)) < 4 / np.sqrt(n)
    scipy_stats = pytest.importorskip("scipy.stats")
    assert scipy_stats.kstest(noise, "norm").pvalue > 1e-4


def test_the_same_seed_gives_the_same_bits_on_threads_after_a_restart_and_from_a_file(tmp_path):
    def run(threads=1, start=None, until=1.0, file=None):
        m, ball, sensor, _ = moving(noise=0.1, delay=0.02, seed=3)
        if file:
            m.save(tmp_path / "m.json")
            m = sl.Model.load(tmp_path / "m.json")
            sensor = m[sensor.name]
            assert isinstance(sensor.value, type(ball.position))
        return m.simulate(until=until, threads=threads, start=start, step=0.005, scheme="generalized_alpha"), sensor

    one, sensor = run()
    two, other = run(threads=2)
    assert np.array_equal(one[sensor.value].values, two[other.value].values)
    half, _ = run(until=0.5)
    rest, again = run(start=half)
    assert rest[again.value].last == one[sensor.value].last
    loaded, third = run(file=True)
    assert np.array_equal(one[sensor.value].values, loaded[third.value].values)


def test_a_controller_reads_what_a_sensor_measures_at_the_same_sample():
    m = sl.Model(gravity=(0, 0, 0))
    cart = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 0, 0), velocity=(0, 0, 1.0))
    slide = m.prismatic(m.ground, cart, axis="z", force=0.0)
    sensor = m.sensor(slide.translation.z + 0.5, period=0.01)
    m.controller("-40*x", period=0.01, inputs={"x": sensor.value}, outputs=[slide])
    result = m.simulate(until=0.5)
    t = 0.01 * np.arange(0, 50)
    force = -40 * (result.at(t)[slide.translation.z].values + 0.5)
    assert np.allclose(result.at(t + 0.005)[m["prismatic_1_drive"].quantity("force").z].values if "prismatic_1_drive" in m else force, force, rtol=0, atol=1e-9)
    assert np.allclose(result.at(t)[sensor.value].values * -40, force, rtol=0, atol=1e-12)


def test_what_is_wrong_with_a_sensor_is_said():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1)
    for given, message in (
        (dict(period=0.0), "period.*is 0 s"),
        (dict(period=0.1, noise=-1.0), "noise.*is -1"),
        (dict(period=0.1, delay=0.25), "delay.*is 0.25 s, no multiple"),
        (dict(period=0.1, seed=-3), "seed.*is -3"),
        (dict(period=0.001, delay=100.0), "delay.*periods"),
    ):
        with pytest.raises(sl.ModelError, match=message):
            m.sensor(ball.position.x, **given)
    sensor = m.sensor(ball.position.x, period=0.1)
    sensor.noise = 0.2
    assert sensor.settings["noise"] == 0.2 and sensor.noise == 0.2
    with pytest.raises(sl.ModelError, match="noise"):
        sensor.nois = 1
    m.sensor(ball.position, period=0.1)
    with pytest.raises(sl.ModelError, match="sensor_2"):
        m.simulate(until=0.2)


def swing():
    m = sl.Model(gravity=(0, 0, 0))
    ball = m.sphere(radius=0.1, mass=1, at=(0.6, 0, 0))
    m.spring(m.ground, ball, stiffness=4 * np.pi**2, rest_length=0.5)
    return m.simulate(until=8.0, tolerance=1e-9)[ball.position.x]  # 0.5 + 0.1 cos(2 pi t)


def test_filters_pass_and_stop_what_they_should():
    pytest.importorskip("scipy")
    x = swing()
    low, high = x.filter(lowpass=0.1, order=2), x.filter(highpass=0.5)
    middle = slice(len(low) // 3, 2 * len(low) // 3)
    assert low.unit == "m" and np.allclose(low.values[middle], 0.5, rtol=0, atol=0.02)
    corner = x.filter(lowpass=1.0)
    t = corner.time
    inside = (t > 3) & (t < 5)
    assert np.allclose(corner.values[inside], 0.5 + 0.05 * np.cos(2 * np.pi * t[inside]), rtol=0, atol=2e-4)  # half the amplitude, no delay
    inside = (high.time > 3) & (high.time < 5)
    assert np.allclose(high.values[inside], 0.1 * np.cos(2 * np.pi * high.time[inside]), rtol=0, atol=5e-3)  # 1 - 1/(1 + 2^8), and what is left of the ends
    for given, message in ((dict(), "neither"), (dict(lowpass=-1), "lowpass"), (dict(lowpass=1, highpass=2), "highpass"), (dict(lowpass=1, order=0), "order"), (dict(lowpass=1, rate=1), "rate")):
        with pytest.raises(sl.ModelError, match=message):
            x.filter(**given)


def test_a_moving_mean_over_a_period_and_a_derivative():
    x = swing()
    mean = x.moving_mean(1.0)
    inside = (mean.time > 0.5) & (mean.time < 7.5)
    assert np.allclose(mean.values[inside], 0.5, rtol=0, atol=2e-5)
    rate = x.derivative()
    assert rate.unit == "m/s"
    assert np.allclose(rate.values[1:-1], -0.2 * np.pi * np.sin(2 * np.pi * rate.time[1:-1]), rtol=0, atol=0.02)
    with pytest.raises(sl.ModelError, match="window"):
        x.moving_mean(0.0)


def test_a_derivative_is_that_of_the_motion_to_both_ends_and_beside_an_impact():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 2.1))
    m.contact(m.plane(), ball, restitution=0.5)
    result = m.simulate(until=1.0)
    assert np.max(result[ball.velocity.z]) > 3  # it has bounced
    assert np.allclose(result[ball.position.z].derivative(), result[ball.velocity.z], rtol=0, atol=2e-5)
