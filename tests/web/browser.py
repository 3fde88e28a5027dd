"""Browser tests: `python tests/web/browser.py`. Builds pages and a live server, then clicks through them in headless
Chromium with playwright-core (tests/web/browser.mjs). Where Chromium, node or playwright-core cannot be had it prints NOT
RUN and why; with SALTUS_BROWSER_TESTS=required that is a failure. --pictures rewrites the stored pictures.

Also rebuilds the page from web/ and compares it with the one in the package.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"


def main() -> int:
    missing = _tools()
    if missing:
        required = os.environ.get("SALTUS_BROWSER_TESTS") == "required"
        print(f"browser tests {'FAILED' if required else 'NOT RUN'}: {missing}")
        return int(required)
    with tempfile.TemporaryDirectory(prefix="saltus-web-", ignore_cleanup_errors=True) as folder:
        if not _page_is_built(Path(folder)):
            print("browser tests FAILED: the page in the package is not what web/ builds; run `npm ci && npm run build` in web/")
            return 1
        return _run(Path(folder), sys.argv[1:])


def _tools() -> str:
    """What is missing, after trying to install it; empty where all is there."""
    from saltus.view.still import browser

    root = os.geteuid() == 0 and shutil.which("apt-get")
    wanted = [package for package, there in (("chromium", browser()), ("nodejs", shutil.which("node")), ("npm", shutil.which("npm"))) if not there]
    if wanted and root and "SALTUS_BROWSER" not in os.environ:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": False}
        for command in (["update"], ["install", "-y", "--no-install-recommends", *wanted, "fonts-dejavu-core"]):
            subprocess.run(["apt-get", "-o", "Acquire::Retries=3", *command], **quiet)
    if not browser():
        return "no Chromium is found, and it cannot be installed here"
    if not shutil.which("node") or not shutil.which("npm"):
        return "no node is found, and it cannot be installed here"
    if not (WEB / "node_modules" / "playwright-core").is_dir():
        for _ in range(3):  # a mirror may be away for a moment
            done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=WEB, capture_output=True, text=True, check=False)
            if not done.returncode:
                return ""
        return f"npm cannot install what web/package-lock.json names: {done.stderr.strip()[-500:]}"
    return ""


def _page_is_built(folder: Path) -> bool:
    subprocess.run(["npx", "tsc", "--noEmit"], cwd=WEB, check=True)
    subprocess.run(["npx", "vite", "build", "--outDir", str(folder / "built"), "--logLevel", "warn"], cwd=WEB, check=True)
    return (folder / "built" / "page.html").read_bytes() == (ROOT / "python" / "saltus" / "web" / "page.html").read_bytes()


def _run(folder: Path, arguments: list[str]) -> int:
    from saltus.view.live import LiveRun
    from saltus.view.server import ViewServer
    from saltus.view.source import ResultSource
    from saltus.view.still import browser

    sys.path.insert(0, str(Path(__file__).parent))
    import scenes

    crank = scenes.crank(speed=6.2832)
    crank.to_html(folder / "mechanism.html", title="slider-crank", compare=scenes.crank(speed=6.0))
    scenes.pile().to_html(folder / "pile.html", title="pile of 500 spheres")
    scenes.circuit().to_html(folder / "circuit.html", title="diode bridge")
    scenes.room().to_html(folder / "room.html", title="room")
    scenes.cart().to_html(folder / "cart.html", title="cart")
    scenes.rest().to_html(folder / "rest.html", title="at rest")
    scenes.rolled().to_html(folder / "rolled.html", title="rolled")
    scenes.woodpecker().to_html(folder / "woodpecker.html", title="woodpecker")
    scenes.crowd(1000).to_html(folder / "thousand.html", title="1000 bodies")
    scenes.crowd(10_000).to_html(folder / "crowd.html", title="10000 bodies")
    model = scenes.live()
    run = LiveRun(model._engine, scenes.live_options(), output=folder / "live.saltus", shapes=scenes.shapes(model), title="live", waits=True).start()
    with ViewServer(run, port=None) as live, ViewServer(ResultSource([crank], ["served"]), port=None) as served:
        settings = {"browser": browser(), "folder": str(folder), "live": live.address, "served": served.address, "pictures": str(Path(__file__).parent / "pictures"),
                "write": "--pictures" in arguments, "only": [a for a in arguments if not a.startswith("-")], "shots": os.environ.get("SALTUS_SHOTS", "")}
        code = subprocess.run(["node", str(Path(__file__).with_name("browser.mjs")), json.dumps(settings)], check=False).returncode
    pulls = len(run.pulls)
    run.close()
    if not settings["only"] and (run.error or not pulls):
        print(f"browser tests FAILED: the live run ended with {run.error!r} and {pulls} rows of pulls")
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
