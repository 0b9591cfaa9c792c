"""A headless Chromium, spoken to by its DevTools protocol over two pipes: nothing to install but the browser."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FOUND = next((path for name in NAMES if (path := shutil.which(name))), None)
LOCAL = ("file:", "data:", "blob:", "about:", "chrome:")
PATIENCE = 60  # seconds
START = """\
import fcntl, os, sys
both = [fcntl.fcntl(int(pipe), fcntl.F_DUPFD, 10) for pipe in sys.argv[1:3]]
for number, pipe in enumerate(both, 3):  # the browser reads from 3 and writes to 4
    os.dup2(pipe, number)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """One page in a browser, with all that it complained of and asked the network for.

    Attributes
    ----------
    complaints : errors and warnings of the console, and exceptions.
    requests : addresses that were asked for, but for those within the file.
    """

    def __init__(self, home: Path) -> None:
        if FOUND is None:
            raise FileNotFoundError("no Chromium is on the PATH")
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        command = [
            FOUND,
            "--headless=new",
            "--remote-debugging-pipe",
            "--no-first-run",
            "--disable-gpu",
            "--hide-scrollbars",
        ]
        command += ["--disable-dev-shm-usage", f"--user-data-dir={home}"]
        command += ["--no-sandbox"] if os.geteuid() == 0 else []
        self._process = subprocess.Popen(
            [sys.executable, "-c", START, str(to_browser), str(from_browser), *command],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._number, self._left, self._session = 0, b"", None
        self.complaints: list[str] = []
        self.requests: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._session = None
        with contextlib.suppress(EOFError, OSError):
            self.send("Browser.close")
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)

    # -- looking ---------------------------------------------------------------------------------------------------

    def open(self, page: Path, width: int = 1200, height: int = 900, dark: bool = False, phone: bool = False) -> None:
        """Shows a page and waits until its charts are drawn."""
        media = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.send("Emulation.setEmulatedMedia", features=media)
        scale = 2 if phone else 1
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=phone
        )
        self.send("Emulation.setTouchEmulationEnabled", enabled=phone)
        self.send("Page.navigate", url=page.absolute().as_uri())
        end = time.monotonic() + PATIENCE
        while self.value("document.documentElement?.dataset.ready") != "yes":
            if time.monotonic() > end:
                raise TimeoutError(f"the page was not ready; {self.complaints}")
            time.sleep(0.05)

    def value(self, script: str) -> Any:
        """What a line of JavaScript gives in the page."""
        done = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"]["exception"].get("description"))
        return done["result"].get("value")

    def picture(self, whole: bool = True) -> bytes:
        """The page as PNG."""
        return base64.b64decode(
            self.send("Page.captureScreenshot", captureBeyondViewport=whole, **self._clip(whole))["data"]
        )

    def _clip(self, whole: bool) -> dict[str, Any]:
        if not whole:
            return {}
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        return {"clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}

    def pdf(self) -> bytes:
        """The page as printed."""
        return base64.b64decode(self.send("Page.printToPDF", printBackground=False, preferCSSPageSize=True)["data"])

    # -- the protocol ----------------------------------------------------------------------------------------------

    def send(self, method: str, **parameters: Any) -> Any:
        """A command and its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._notice(answer.get("method", ""), answer.get("params", {}))

    def _receive(self) -> Any:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], max(end - time.monotonic(), 0))
            if not ready:
                raise TimeoutError("the browser does not answer")
            part = os.read(self._read, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self._left += part
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)

    def _notice(self, event: str, what: dict[str, Any]) -> None:
        if event == "Network.requestWillBeSent" and not what["request"]["url"].startswith(LOCAL):
            self.requests.append(what["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif event == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in what["args"]))
        elif event == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.complaints.append(what["entry"]["text"])
