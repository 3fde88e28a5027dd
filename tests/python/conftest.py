"""Pictures are written to a folder of the test, never shown."""

import signal

import pytest


@pytest.fixture(autouse=True)
def _pictures_in_a_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")

# A shell that starts the tests in the background lets them ignore Ctrl-C, and their children with them.
signal.signal(signal.SIGINT, signal.default_int_handler)
