"""The page that shows a scene: the built file of web/ with containers inside, or as the server sends it."""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import re
import zlib
from importlib import resources

SLOT = "<!--data-->"


@functools.cache
def page() -> str:
    """The built page (python/saltus/web/page.html)."""
    return resources.files("saltus").joinpath("web/page.html").read_text(encoding="utf-8")


def page_with(containers: list[bytes], title: str = "") -> str:
    """One self-contained page that shows the first container and compares it with a second."""
    inside = "".join(
        f'<script type="application/x-saltus">{base64.b64encode(zlib.compress(data, 9)).decode()}</script>\n' for data in containers
    )
    text = page().replace(SLOT, inside, 1)
    return text.replace("<title>Saltus</title>", f"<title>{html.escape(title or 'Saltus')}</title>", 1)


@functools.cache
def content_policy() -> str:
    """Content-Security-Policy of the served page: its own script by hash, nothing from elsewhere."""
    scripts = re.findall(r'<script type="module">(.*?)</script>', page(), re.DOTALL)
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self' data:; "
        "media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
