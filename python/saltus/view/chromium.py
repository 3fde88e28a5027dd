"""A headless Chromium that draws a page: commands and answers as JSON through two pipes (the Chrome DevTools Protocol)."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time as clock
from pathlib import Path
from typing import Any

from saltus.errors import Fault, NoPicture

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
FLAGS = ("--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
         "--hide-scrollbars", "--no-first-run", "--disable-background-networking", "--disable-sync", "--remote-debugging-pipe")
PATIENCE = 240.0  # s, to the first frame of a page
# The browser reads its commands from descriptor 3 and answers on 4; a pipe is open to nobody else, as a port would be.
_LAUNCH = """import fcntl, os, sys
r, w = (fcntl.fcntl(int(fd), fcntl.F_DUPFD, 10) for fd in sys.argv[1:3])
os.dup2(r, 3); os.dup2(w, 4); os.closerange(5, 64)
os.execv(sys.argv[3], sys.argv[3:])
"""


def browser() -> str | None:
    """Program of a browser that can draw without a window: SALTUS_BROWSER, or one that is found."""
    if os.name != "posix":
        return None
    given = os.environ.get("SALTUS_BROWSER")
    if given is not None:
        return shutil.which(given) if given else None
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One page in a browser of its own, which ends with the block.

    program: of the browser. size: (width, height) [px]. Calls raise NoPicture where the browser ends, fails or takes longer
    than `patience` [s] to the first frame of a page.
    """

    def __init__(self, program: str, size: tuple[int, int], *, patience: float = PATIENCE):
        self._name, self._patience = Path(program).name, patience
        self._ends = clock.monotonic() + patience
        self._folder = tempfile.mkdtemp(prefix="saltus-browser-")
        self._count, self._rest = 0, b""
        self._session = ""
        reads, self._to = os.pipe()
        self._from, writes = os.pipe()
        self._said = Path(self._folder, "said.txt")
        with self._said.open("wb") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-S", "-E", "-c", _LAUNCH, str(reads), str(writes), program, *FLAGS, f"--user-data-dir={self._folder}/profile", "about:blank"],
                stdin=subprocess.DEVNULL, stdout=said, stderr=said, pass_fds=(reads, writes))  # fmt: skip
        os.close(reads)
        os.close(writes)
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the browser and removes its folder."""
        for fd in (self._to, self._from):
            os.close(fd)
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def open(self, address: str) -> None:
        """Loads a page of Saltus and waits until it has drawn its first frame."""
        self._ends = clock.monotonic() + self._patience
        self.call("Page.navigate", url=address)
        while not self.value("document.documentElement?.dataset.ready === 'true'"):
            if clock.monotonic() > self._ends:
                said = self.value("document.querySelector('.toast')?.textContent ?? ''")
                raise self.failed("the page drew no frame" + (f" and says: {said}" if said else ""))
            clock.sleep(0.05)
        self.painted()

    def painted(self) -> None:
        """Waits until what was drawn is on the screen."""
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def value(self, expression: str) -> Any:
        """Value of an expression of the page; waits for a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise self.failed(str(details.get("exception", {}).get("description", details.get("text", "")))[:200])
        return answer["result"].get("value")

    def picture(self) -> bytes:
        """The page as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Result of a command of the protocol."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        try:
            data = json.dumps(message).encode() + b"\0"
            while data:
                data = data[os.write(self._to, data) :]
        except OSError:
            raise self.failed(self._cause()) from None
        ends = max(self._ends, clock.monotonic() + 60.0)
        while True:
            answer = self._answer(ends)
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise self.failed(str(answer["error"].get("message", method)))
                return answer["result"]

    def _answer(self, ends: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._from], [], [], max(0.0, ends - clock.monotonic()))
            if not ready:
                raise self.failed(f"it took longer than {self._patience:g} s")
            part = os.read(self._from, 1 << 20)
            if not part:
                raise self.failed(self._cause())
            self._rest += part
        text, _, self._rest = self._rest.partition(b"\0")
        return json.loads(text)

    def _cause(self) -> str:
        """The last line that the browser wrote before it ended."""
        lines = self._said.read_text(errors="replace").strip().splitlines()
        return f"it ended: {lines[-1]}" if lines else "it ended without a message"

    def failed(self, cause: str) -> NoPicture:
        """The error for a picture that did not come."""
        return NoPicture(Fault("", f"{self._name} drew no picture: {cause}",
                               "try again when the machine has time, or set SALTUS_BROWSER= (empty) to draw it without a browser"))  # fmt: skip
