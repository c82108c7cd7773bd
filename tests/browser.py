"""A site on this machine's loopback, and Chromium to look at it: what a page asks for, and what goes wrong on it.

Playwright drives the Chromium that the machine has; nothing is downloaded, and nothing but the loopback is asked.
"""

from __future__ import annotations

import functools
import gzip
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, sync_playwright

WANTED = "SNIPPETLOCK_BROWSER"  # `required`: a machine without a browser fails the tests that need one
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PACKED = (".html", ".css", ".js", ".json", ".svg", ".xml")


@contextmanager
def chromium() -> Iterator[Browser]:
    """The one browser of a run. Skips without one, and fails where one is required."""
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        said = "no Chromium on this machine (on Debian: apt-get install chromium)"
        if os.environ.get(WANTED) == "required":
            pytest.fail(f"{said}, and {WANTED}=required")
        pytest.skip(f"not run, {said}: the tests of the built site in a browser")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(_OPTIONS))
        yield browser
        browser.close()


class _Handler(SimpleHTTPRequestHandler):
    """As a host of static sites answers: packed where that is worth it, and with the site's own page for a 404."""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if path.suffix not in _PACKED and path.is_file():
            super().do_GET()
            return
        status = 200 if path.is_file() else 404
        path = path if path.is_file() else Path(self.directory) / "404.html"
        body = gzip.compress(path.read_bytes(), 6) if path.is_file() else b""
        self.send_response(status)
        self.send_header("Content-Type", f"{self.guess_type(str(path))}; charset=utf-8")
        self.send_header("Content-Encoding", "gzip" if body else "identity")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        pass  # a browser that leaves a page drops what it had asked for


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder while it is served, with a slash at its end."""
    server = _Server(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass  # without slots: Playwright hangs its wrappers on the object of a method
class Watch:
    """Writes down what goes wrong on a page: errors on the console, requests that fail or leave the site."""

    home: str
    faults: list[str] = field(default_factory=list)

    def over(self, page: Page) -> Watch:
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._asked)
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        return self

    def taken(self) -> list[str]:
        """What was written down since the last time."""
        taken, self.faults = self.faults, []
        return taken

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.home, "data:", "blob:")):
            self.faults.append(f"outside: {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left
            self.faults.append(f"failed: {request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"{response.status}: {response.url}")


class Weight(NamedTuple):
    """What a first view takes, pictures aside: bytes over the wire, headers included; bytes unpacked; the addresses."""

    wire: int
    unpacked: int
    addresses: tuple[str, ...]


def weighed(page: Page, address: str) -> Weight:
    """Open a page with an empty cache, and wait until it asks for nothing more."""
    kinds: dict[str, tuple[str, str]] = {}
    wire: dict[str, int] = {}
    unpacked: dict[str, int] = {}
    devtools = page.context.new_cdp_session(page)
    devtools.on(
        "Network.responseReceived",
        lambda said: kinds.update({said["requestId"]: (said["type"], said["response"]["url"])}),
    )
    devtools.on("Network.loadingFinished", lambda said: wire.update({said["requestId"]: said["encodedDataLength"]}))
    devtools.on(
        "Network.dataReceived",
        lambda said: unpacked.update({said["requestId"]: unpacked.get(said["requestId"], 0) + said["dataLength"]}),
    )
    devtools.send("Network.enable")
    devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.goto(address, wait_until="networkidle")
    devtools.detach()
    asked = [name for name, (kind, _) in kinds.items() if kind != "Image"]
    return Weight(
        wire=int(sum(wire.get(name, 0) for name in asked)),
        unpacked=int(sum(unpacked.get(name, 0) for name in asked)),
        addresses=tuple(kinds[name][1] for name in asked),
    )
