"""Result files: `ResultWriter` while a run goes on, `ResultReader` afterwards, exports to HDF5 and CSV."""

from saltus.store.format import Channel, ResultFileError
from saltus.store.reader import Entry, ResultReader
from saltus.store.writer import ResultWriter

__all__ = ["Channel", "Entry", "ResultFileError", "ResultReader", "ResultWriter"]
