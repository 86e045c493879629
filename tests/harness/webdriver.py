# SPDX-License-Identifier: Apache-2.0
"""A browser without a window, driven by the W3C's WebDriver protocol: Debian's chromium and chromium-driver."""
import base64
import json
import re
import shutil
import time
import urllib.error
import urllib.request

from harness.process import Failure

KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
        "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010", "Space": " "}
MODIFIERS = {"Shift": "\ue008", "Control": "\ue009"}
PROGRAMS = ("chromium", "chromedriver")
TIMEOUT = 60


def missing():
    """What there is not of the programs; empty: all is there."""
    absent = [program for program in PROGRAMS if not shutil.which(program)]
    return f"{' and '.join(absent)} (Debian's chromium, chromium-driver) not installed" if absent else ""


class Browser:
    """One page. Everything fails with Failure."""

    def __init__(self, processes, folder):
        if missing():
            raise Failure(missing())
        driver = processes.start("chromedriver", ["chromedriver", "--port=0"])
        line = driver.wait_for(lambda text: "started successfully on port" in text, TIMEOUT)[-1]
        self._base = f"http://127.0.0.1:{re.search(r'port ([0-9]+)', line).group(1)}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--window-size=1280,860", f"--user-data-dir={folder}"]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments},
                  "goog:loggingPrefs": {"browser": "ALL"}}
        session = self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self._base += f"/session/{session}"

    def _send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Failure(f"the browser: {error.read().decode()[:600]}") from None
        except OSError as error:
            raise Failure(f"the browser: {error}") from None

    def open(self, address):
        self._send("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        """What a function body returns."""
        return self._send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *keys):
        """Keys by name, also with a modifier (Shift+Tab), or the characters of a text, at what has the focus."""
        actions = []
        for key in keys:
            modifier, _, rest = key.partition("+")
            held = MODIFIERS.get(modifier) if rest else None
            if held:
                actions.append({"type": "keyDown", "value": held})
                key = rest
            for character in [KEYS[key]] if key in KEYS else key:
                actions += [{"type": "keyDown", "value": character}, {"type": "keyUp", "value": character}]
            if held:
                actions.append({"type": "keyUp", "value": held})
        self._send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def wait(self, script, *arguments):
        """Until a function body returns something that counts as true, which is returned: asked again and again."""
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            if found := self.run(script, *arguments):
                return found
        raise Failure(f"in the page never became true: {script}\nit shows:\n{self.run('return document.body.innerText')}")

    def prefer(self, scheme):
        """dark or light"""
        told = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self._send("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": told})

    def complaints(self):
        return [entry["message"] for entry in self._send("POST", "/se/log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self):
        return base64.b64decode(self._send("GET", "/screenshot"))

    def close(self):
        self._send("DELETE", "")
