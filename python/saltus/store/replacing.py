"""A file that takes the place of another only when it is whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from saltus.errors import unwritten
from saltus.store.format import ResultFileError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A name beside `path` that takes its place when all went well."""
    path = path.resolve()  # the target of a link, not the link
    if path.exists() and not path.is_file():
        raise ResultFileError(str(path), "", "is a folder, a device or the like, not a file; it is not replaced", "name a file")
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield draft
        os.replace(draft, path)
    except OSError as error:
        fault = unwritten(path, error)
        raise ResultFileError(str(path), "", fault.message, fault.remedy) from error
    finally:
        draft.unlink(missing_ok=True)
