# SPDX-License-Identifier: Apache-2.0
"""`callis browse` in headless Chromium: omniNames and a server of mixed.idl, by the keyboard alone. Scripts only look."""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import urllib.request

from harness import webdriver
from harness.process import Failure
from harness.webdriver import Browser
from interop import peers
from interop.addresses import start_omni_names

TIMEOUT = 60
SKIPPED = 77
HOSTILE = "<img src=x onerror=document.title='owned'>"


def add_options(tests):
    parser = tests.add_parser("browse", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--idl", required=True)
    parser.add_argument("--picture", type=pathlib.Path, help="writes one of the page there")
    parser.set_defaults(run=run)
    known = tests.add_parser("browse-ifr", help="callis browse without IDL files: types come from callis ifr")
    known.add_argument("--callis", required=True)
    known.add_argument("--programs", required=True)
    known.add_argument("--idl", required=True)
    known.set_defaults(run=run_ifr)


def start_server(options, processes):
    program = pathlib.Path(options.programs) / "mixed_server_callis_interpreted"
    server = processes.start("server", [program, *peers.options("callis-interpreted")])
    return server, server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]


def ask(address, name, **members):
    request = urllib.request.Request(f"{address}api/{name}", json.dumps(members).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        return json.load(answer)


def run_ifr(options, processes):
    server, reference = start_server(options, processes)
    repository = processes.start("ifr", [options.callis, "ifr", "--allow", "admin=any", "-ORBEndpoint", "tcp:127.0.0.1:0"])
    types = repository.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
    subprocess.run([options.callis, "ifr", "feed", types, options.idl], check=True, timeout=TIMEOUT)
    browse = processes.start("browse", [options.callis, "browse", reference, "--ifr", types])
    address = browse.wait_for(lambda line: line.startswith("http://127.0.0.1:"), TIMEOUT)[-1]
    for _ in range(2):  # the second time it knows them
        found = ask(address, "look", reference=reference)
        expect("the problem", found["problem"], None)
        expect("the interface", found["interface"]["name"], "Mixed::Peer")
    answer = ask(address, "call", reference=reference, operation="echo_string", arguments='["text"]')
    expect("the result", (answer["status"], answer["output"]), ("result", '"text"'))
    answer = ask(address, "look", reference=types)
    expect("an object of an interface that the repository does not have", answer["interface"], None)
    for process in (browse, repository):
        process.signal(signal.SIGTERM)
        expect("the end of a program", process.finish(TIMEOUT), 0)
    server.end_input()
    expect("the end of the server", server.finish(TIMEOUT), 0)


def expect(what, found, expected):
    if found != expected:
        raise Failure(f"{what}: expected {expected!r}, found {found!r}")


def bind(callis, names, name, reference):
    told = ["--idl", "/usr/share/idl/omniORB/COS/CosNaming.idl"]
    subprocess.run([callis, "call", names, "bind", name, f'"{reference}"', *told], check=True, timeout=TIMEOUT)


class Page:
    """What a user of the keyboard does and sees."""

    def __init__(self, browser):
        self.browser = browser
        self.press = browser.press

    def focus(self):
        return self.browser.run("const e = document.activeElement; return e.closest('[role=treeitem] > .row, [role=treeitem]')"
                                " ? 'tree: ' + e.firstChild.textContent : e.id || e.name || e.tagName")

    def outcome(self):
        """Of the call that has been made, and what it gave."""
        self.browser.wait("return document.getElementById('outcome') && document.getElementById('make').ariaDisabled === 'false'")
        return self.browser.run("return [document.querySelector('#outcome span').textContent,"
                                " [...document.querySelectorAll('#result > pre')].map((e) => e.textContent).join('\\n')]")

    def tab_to(self, what, key="Tab"):
        """Presses Tab, or another key, until what a CSS selector names has the focus."""
        for _ in range(100):
            if self.browser.run("return document.activeElement.matches(arguments[0])", what):
                return
            self.press(key)
        raise Failure(f"{key} never leads to {what}, but to {self.focus()} at last")

    def choose_operation(self, name):
        """From the list of operations, by arrow keys, into the form."""
        self.press("Home")
        for _ in range(100):
            chosen = self.browser.run("return document.querySelector('#operations [aria-selected=true]').title")
            if chosen == name:
                self.press("Enter")
                return
            self.press("ArrowDown")
        raise Failure(f"there is no operation {name} in the list")


def run(options, processes):
    if webdriver.missing():
        print(f"skipped: {webdriver.missing()}")
        sys.exit(SKIPPED)
    server, reference = start_server(options, processes)
    with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        names = f"corbaloc::127.0.0.1:{start_omni_names(processes, directory)}/NameService"
        bind(options.callis, names, '[{"id":"peer","kind":""}]', reference)
        bind(options.callis, names, f'[{{"id":"{HOSTILE}","kind":""}}]', reference)
        browse = processes.start("browse", [options.callis, "browse", names, "--idl", options.idl])
        address = browse.wait_for(lambda line: line.startswith("http://127.0.0.1:"), TIMEOUT)[-1]
        browser = Browser(processes, profile)
        try:
            walk(Page(browser), browser, address)
            if options.picture:
                options.picture.write_bytes(browser.picture())
        finally:
            browser.close()
        browse.signal(signal.SIGTERM)
        expect("the end of callis browse", browse.finish(TIMEOUT), 0)
    server.end_input()
    expect("the end of the server", server.finish(TIMEOUT), 0)


def walk(page, browser, address):
    browser.open(address)
    browser.wait("return document.body.dataset.ready")
    if not page.focus().startswith("tree: corbaloc:"):
        raise Failure(f"the focus is not in the tree at first, but at {page.focus()}")

    page.press("ArrowRight")
    browser.wait("return document.querySelectorAll('[role=group] > [role=treeitem]').length === 2")
    page.press("ArrowDown")
    if not page.focus().startswith("tree: <img"):
        raise Failure(f"a name that looks like markup is not shown as it is: {page.focus()}")
    page.press("ArrowDown")
    expect("after the arrow", page.focus(), "tree: peer")
    page.press("Enter")
    browser.wait("return document.activeElement.id === 'operations'")
    expect("the object", browser.run("return document.getElementById('object-note').textContent"), "Mixed::Peer")

    page.choose_operation("echo_string")
    page.press("a <b>text</b>", "Enter")
    expect("echo_string", page.outcome(), ["Result", '"a <b>text</b>"'])

    page.press("Escape")
    expect("Escape in the form", page.focus(), "operations")
    page.choose_operation("refuse")
    page.press("because", "Tab", "Control+a", "-3", "Enter")
    title, members = page.outcome()
    expect("refuse", title, "Exception IDL:Mixed/Refused:1.0")
    if '"why": "because"' not in members or '"code": -3' not in members:
        raise Failure(f"the members of the exception: {members}")

    page.press("Escape")
    page.choose_operation("fail")
    expect("without parameters", page.focus(), "make")
    page.press("Enter")
    title, text = page.outcome()
    expect("fail", title, "System exception NO_PERMISSION, minor 4711, completed: yes")
    if "to try next" not in text:
        raise Failure(f"the words of the exception: {text}")

    # A form for a union in a sequence: the button "Add" has the focus.
    page.press("Escape")
    page.choose_operation("echo_choices")
    page.press("Space")
    browser.wait("return document.querySelectorAll('#fields select').length === 1")
    page.press("Tab", "Control+a", "41", "Enter")
    title, text = page.outcome()
    expect("echo_choices", (title, "".join(text.split())), ("Result", '[{"discriminator":"red","value":41}]'))

    # The history: the first call again.
    expect("calls in the history", browser.run("return document.querySelectorAll('#calls button').length"), 4)
    page.tab_to("#calls li:last-child button")
    page.press("Enter")
    browser.wait("return document.getElementById('signature').textContent.includes('echo_string')")
    expect("what the form has again", browser.run("return document.querySelector('#fields input').value"), "a <b>text</b>")
    expect("the command line",
           browser.run("return /^callis call IOR:[0-9a-f]+ echo_string '\"a <b>text<.b>\"' --idl .*mixed.idl$/.test("
                       "document.querySelector('#command code').textContent)"), True)

    # A reference in a result is opened by its button.
    page.press("Escape")
    page.choose_operation("itself")
    page.press("Enter")
    page.outcome()
    page.tab_to("#result pre button")
    page.press("Space")
    browser.wait("return document.querySelectorAll('#tree > [role=treeitem]').length === 2")
    browser.wait("return document.getElementById('object-note').textContent === 'Mixed::Peer'")
    page.press("Escape", "Escape")
    if not page.focus().startswith("tree: opened"):
        raise Failure(f"Escape twice leads to {page.focus()}")

    # All arguments as JSON: the box is reached by Tab and set by Space; Enter is the text's own, Control+Enter calls.
    page.press("Enter")
    browser.wait("return document.activeElement.id === 'operations'")
    page.choose_operation("echo_string")
    page.tab_to("#as-json")
    page.press("Space")
    page.tab_to("#raw", "Shift+Tab")
    page.press("Control+a", '["of JSON"]', "Control+Enter")
    expect("echo_string as JSON", page.outcome(), ["Result", '"of JSON"'])
    page.press("Control+a", '["of JSON"', "Control+Enter")
    expect("wrong JSON", page.outcome()[0], "Not called")
    if page.focus() != "raw":
        raise Failure(f"after a mistake the focus is not in the text, but at {page.focus()}")

    # A reference that is typed: one that leads nowhere is said to.
    page.press("Escape", "Escape")
    page.tab_to("#open-reference")
    page.press("corbaloc::127.0.0.1:1/nobody", "Enter")
    browser.wait("return document.getElementById('object-note').textContent.includes('TRANSIENT')")
    expect("the focus after it", page.focus(), "tree: corbaloc::127.0.0.1:1/nobody")

    grounds = []
    for scheme in ("light", "dark"):
        browser.prefer(scheme)
        grounds.append(browser.run("return getComputedStyle(document.body).backgroundColor"))
    if grounds[0] == grounds[1]:
        raise Failure(f"light and dark have the same ground, {grounds[0]}")
    browser.prefer("light")
    expect("the title, after all the markup", browser.run("return document.title"), "callis browse")
    complaints = [c for c in browser.complaints() if "favicon.ico" not in c]
    expect("what the browser complains about", complaints, [])
