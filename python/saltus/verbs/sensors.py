"""Sensors: a quantity as an instrument shows it, sampled, late, noisy, in steps."""

from __future__ import annotations

from saltus import geometry as g
from saltus.quantity import Quantity
from saltus.verbs._verb import verb
from saltus.verbs.controllers import Block

# Two generators whose difference is taken, period 2e18: P. L'Ecuyer, Efficient and portable combined random number generators, CACM 31 (1988). Products stay below 2^53.
FIRST, SECOND = (40014, 2147483563), (40692, 2147483399)
MOST_LATE = 2000  # periods of delay, each a number that the state keeps


class Sensor(Block):
    """An instrument of a model. `value` is what it shows, constant between samples: a quantity of results, an input of controllers."""

    def _kind(self) -> str:
        return "sensor"


class SensorVerbs:
    """The verb that makes sensors."""

    @verb("controllers")
    def sensor(
        self,
        quantity: Quantity | str,
        *,
        period: float,
        noise: float = 0.0,
        delay: float = 0.0,
        quantization: float = 0.0,
        offset: float = 0.0,
        seed: int = 0,
        name: str = "",
    ) -> Sensor:
        """Measures a number at t = 0, period, 2 period, ... [s]: `sensor.value` is what it shows until the next sample.

        noise: standard deviation, offset and quantization (the step of what is shown), in the unit of the quantity; delay [s], a multiple of the period: until it
        has passed the first sample is shown. seed: another one is another noise; the same gives the same bits, also on other threads and after a restart. Controllers that are sampled at the
        same time read what has just been measured. A sensor stands in the model file, as formulas.
        """
        name = self._free_name("sensor", name)
        path = f"controllers/{name}"
        period = g.number(period, f"{path}/period", "s", above=0.0)
        sizes = {"noise": noise, "delay": delay, "quantization": quantization}
        for word, value in sizes.items():
            sizes[word] = g.number(value, f"{path}/{word}", "s" if word == "delay" else "")
            if sizes[word] < 0.0:
                g.refuse(f"{path}/{word}", f"is {sizes[word]:g}, must be at least 0")
        offset = g.number(offset, f"{path}/offset")
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**31:
            g.refuse(f"{path}/seed", f"is {seed!r}, expected a whole number from 0 to 2147483647")
        late = sizes["delay"] / period
        if abs(late - round(late)) > 1e-9 * max(1.0, late):
            g.refuse(f"{path}/delay", f"is {sizes['delay']:g} s, no multiple of the period of {period:g} s", f"give {round(late) * period:g}")
        if late > MOST_LATE:
            g.refuse(f"{path}/delay", f"is {late:.0f} periods", f"give at most {MOST_LATE}: a longer period, or less delay")
        functions, memory = _formulas(sizes["noise"], round(late), sizes["quantization"], offset, seed)
        made = Sensor(self, name, period, functions, (("x", self._output_path(quantity)),), (), (), memory)
        self._draft.controllers[name] = {**made._written(), "memory": list(memory)}
        return made


def _formulas(noise: float, late: int, step: float, offset: float, seed: int) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """New values of the memory, and its initial ones: what is shown, whether it has begun, samples on their way (the newest first), two generators."""
    new = "x" if offset == 0.0 else f"x + {offset!r}" if offset > 0 else f"x - {-offset!r}"
    first, second = f"m{2 + late}", f"m{3 + late}"
    if noise > 0.0:
        once = [_turned(first, FIRST), _turned(second, SECOND)]
        twice = [_turned(once[0], FIRST), _turned(once[1], SECOND)]
        u, v = (f"((mod({a} - {b}, {FIRST[1] - 1}) + 0.5) / {FIRST[1] - 1})" for a, b in (once, twice))
        new = f"{new} + {noise!r} * sqrt(-2 * log({u})) * cos(2 * pi * {v})"  # Box, Muller 1958
    if step > 0.0:
        new = f"{step!r} * floor(({new}) / {step!r} + 0.5)"
    functions = [f"if(m1 == 0, {new}, m{1 + late})" if late else new, "1"]
    functions += [new if i == 0 else f"if(m1 == 0, {new}, m{1 + i})" for i in range(late)]
    if noise == 0.0:
        return tuple(functions), (0.0,) * (2 + late)
    # Seeds next to each other start far apart: a few turns with another multiplier.
    start = [float((seed * 48271 + 12345) % (modulus - 1) + 1) for _, modulus in (FIRST, SECOND)]
    for _ in range(8):
        start = [float(int(x) * 69621 % modulus) for x, (_, modulus) in zip(start, (FIRST, SECOND), strict=True)]
    return (*functions, *twice), (*(0.0,) * (2 + late), *start)


def _turned(state: str, generator: tuple[int, int]) -> str:
    return f"mod({generator[0]} * {state}, {generator[1]})"
