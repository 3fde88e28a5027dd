"""Turns friction problems from HDF5 into the flat binary files that the driver reads.

Usage: convert.py SOURCE_FOLDER TARGET_FOLDER. Takes types FC2D, FC3D, GFC2D, GFC3D; needs numpy and h5py.
"""
import struct
import sys
from pathlib import Path

import h5py


def write_matrix(out, group):
    rows, columns = group.attrs["shape"]
    data = group["data"][:]
    out.write(struct.pack("<3i", rows, columns, len(data)))
    out.write(group["indptr"][:].astype("<i4").tobytes())
    out.write(group["indices"][:].astype("<i4").tobytes())
    out.write(data.astype("<f8").tobytes())


def convert(source: Path, target: Path) -> None:
    with h5py.File(source) as file:
        kind = file.attrs["type"]
        if kind not in ("FC2D", "FC3D", "GFC2D", "GFC3D"):
            return
        is_global = kind.startswith("G")
        friction = file["mu"][:]
        with open(target / f"{source.stem}.bin", "wb") as out:
            out.write(struct.pack("<4i", 0x53414C54, 2 if "2D" in kind else 3, is_global, len(friction)))
            write_matrix(out, file["M"])
            if is_global:
                write_matrix(out, file["H"])
            for name in ("q", "b") if is_global else ("q",):
                out.write(file[name][:].astype("<f8").tobytes())
            out.write(friction.astype("<f8").tobytes())


if __name__ == "__main__":
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(Path(sys.argv[1]).glob("*.h5")):
        convert(path, folder)
