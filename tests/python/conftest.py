"""Pictures are written to a folder of the test, never shown."""

import pytest


@pytest.fixture(autouse=True)
def _pictures_in_a_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
