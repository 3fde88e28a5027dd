"""Compiled functions of the user as values of fields: no interpreter in the loop, any number of threads."""

from __future__ import annotations

import ctypes
from typing import Any


class Compiled:
    """A C function `void f(const double *inputs, double *outputs)` by its address.

    function: an address, a ctypes function, or an object with `.address` such as a numba `cfunc` of the signature
    `void(CPointer(double), CPointer(double))`; it is kept alive. inputs and outputs are those of the field that takes it.
    Nothing checks what stands at the address: a wrong one crashes the program.
    """

    _saltus_compiled = True

    def __init__(self, function: Any):
        if isinstance(function, int) and not isinstance(function, bool):
            address = function
        elif hasattr(function, "address"):
            address = int(function.address)
        elif isinstance(function, ctypes._CFuncPtr):
            address = ctypes.cast(function, ctypes.c_void_p).value or 0
        else:
            raise TypeError(f"Compiled takes an address, a ctypes function or an object with .address, got {function!r}")
        if address <= 0:
            raise ValueError(f"{address} is no address of a function")
        self.address = address
        self._function = function

    def __repr__(self) -> str:
        return f"<compiled function at {self.address:#x}>"
