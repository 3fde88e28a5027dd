"""The compiled engine of Saltus. Use it through the package `saltus`."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


version: str = '0.1.0'

architecture: str = 'x86-64-v3'

compiler: str = '12.2.0'

def raise_faults(faults: list) -> None:
    """
    Raises `saltus.ModelError` with all faults (`saltus.errors.Fault`) if one of them is an error.
    """

def fault_text(fault: object) -> str:
    """The one-line text of a fault as the engine writes it."""

def items() -> object:
    """All item types with their fields and ports."""

def schema() -> str:
    """JSON schema of a model file, as text."""

def variables(text: str) -> list[str]:
    """Names that an expression uses."""

def schemes() -> list[str]:
    """Names of the time integrators."""

class Model:
    """A model: named records by section."""

    def __init__(self) -> None: ...

    @staticmethod
    def load(path: str) -> Model:
        """Reads a model file; ModelError with all its mistakes."""

    @staticmethod
    def parse(text: str, file: str = '') -> Model: ...

    def add(self, section: str, type: str, name: str = '', fields: dict = {}, file: str = '', line: int = 0) -> str:
        """Adds an item and returns its name."""

    def record(self, name: str) -> object: ...

    def set(self, name: str, field: str, value: object | None) -> None: ...

    def records(self) -> list: ...

    @property
    def parameters(self) -> object: ...

    @parameters.setter
    def parameters(self, arg: dict, /) -> None: ...

    @property
    def gravity(self) -> object: ...

    @gravity.setter
    def gravity(self, value: object | None) -> None: ...

    @property
    def outputs(self) -> object: ...

    @outputs.setter
    def outputs(self, arg: dict, /) -> None: ...

    @property
    def simulation(self) -> object: ...

    @simulation.setter
    def simulation(self, arg: dict, /) -> None: ...

    @property
    def file(self) -> str: ...

    def run_options(self) -> object:
        """Options of a run as `simulation` holds them, defaults filled in."""

    def expression(self, text: str, inputs: Sequence[str], values: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], path: str = 'expression') -> Annotated[NDArray[numpy.float64], dict(order='C')]:
        """
        (n) values of an expression of inputs (n, inputs) and the model's parameters.
        """

    def varied(self, name: str) -> tuple:
        """(name, system with the number lower, higher, difference)."""

    def override(self, assignment: str) -> None:
        """Sets a parameter: `name=value`."""

    def text(self) -> str:
        """
        The model file's text; ModelError naming a Python function or controller in it.
        """

    def save(self, path: str) -> None: ...

    def set_controllers(self, controllers: list) -> None: ...

    def width_of(self, output: str) -> int:
        """How many numbers a load or drive takes."""

    def stop_where(self, system: System, expression: str) -> Stop: ...

    def check(self) -> object:
        """All mistakes and warnings; raises nothing."""

    def compile(self) -> System: ...

class Stop:
    """A condition that ends a run."""

    @property
    def name(self) -> str: ...

def stop_at(system: System, paths: Sequence[str], component: str, sign: str, bound: float) -> Stop:
    """Sign: <, > or anything else for a change of side."""

class System:
    """A compiled model, immutable."""

    def sizes(self) -> dict[str, int]: ...

    def items(self) -> list: ...

    def quantities(self, item: str) -> list[str]: ...

    def evaluate(self, path: str, t: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], a: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], lam: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], data: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)]) -> object:
        """
        (values (n, components), unit, component names) of `name.quantity[.component]` for recorded states.
        """

    @property
    def warnings(self) -> object: ...

class Run:
    """One run of a system with a scheme."""

    def __init__(self, system: System, scheme: str = 'auto', options: dict = {}, until: float = 1.0, step: float | None = None, tolerance: float = 1e-06, error_control: bool = True, threads: int = 1, consistent: bool = True, stop: Sequence[Stop] = []) -> None: ...

    def advance(self, callback: object | None = None, progress_interval: float = 0.1, record_interval: float = 0.0, record_all: bool = True, progress_steps: int = 16) -> dict: ...

    def state(self) -> bytes:
        """Checkpoint: all that a later step reuses."""

    def load_state(self, state: bytes) -> None: ...

    @property
    def scheme(self) -> str: ...

    @property
    def is_static(self) -> bool: ...

class LinearEquations:
    """The equations of motion to first order about one state."""

    @property
    def t(self) -> float: ...

    @property
    def y(self) -> object: ...

    @property
    def a(self) -> object: ...

    @property
    def scales(self) -> object:
        """1 of an unknown that translates, 1 / length of one that turns a frame."""

    @property
    def lam(self) -> object: ...

    @property
    def data(self) -> object: ...

    @property
    def rests(self) -> bool:
        """No velocity, no acceleration."""

    @property
    def exact(self) -> bool:
        """No derivative was taken by differences."""

    @property
    def residual(self) -> float: ...

    @property
    def closed(self) -> list[str]:
        """Relations with a set-valued law that are held."""

    @property
    def open(self) -> list[str]:
        """Relations with a set-valued law that are left out."""

    @property
    def rows(self) -> int: ...

    def sparse(self) -> dict:
        """
        Sparse matrices (data, indices, indptr, shape), and which rows depend on others.
        """

    def moved(self, theta: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], rest: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], by: float) -> Annotated[NDArray[numpy.float64], dict(order='C')]:
        """y of the state moved by a multiple of a deviation (theta, (v, x, z))."""

    def state_space(self, inputs: Sequence[tuple[str, System, System, float]], outputs: Sequence[str]) -> dict:
        """
        A, B, C, D and what they stand for. inputs: (name, system with it lower, with it higher, difference).
        """

def linear_equations(system: System, t: float, y: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], a: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)] | None = None, lam: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)] | None = None, data: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)] | None = None) -> LinearEquations:
    """
    Linearizes at one state of [q v x z 0], accelerations, multipliers, data.
    """

def reference_state(system: System, reference: bool) -> tuple:
    """(y, data): the reference position at rest, or the initial values."""
