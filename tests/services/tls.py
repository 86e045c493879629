#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Services that call each other over TLS: each carries its own certificate, and not its client's.

    tls.py --bin DIR --demand-server PROGRAM --case naming|trading|logging|events|imr

PROGRAM is the server of examples/15-on-demand, with callis/tls.h. Every second service lets in only the certificate of the first one, so
that what comes through shows whose it was."""
import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness.ports import fixed_port  # noqa: E402, pylint: disable=wrong-import-position
from harness.process import Failure, Processes  # noqa: E402, pylint: disable=wrong-import-position

TIMEOUT = 60
THING = "corbaloc::192.0.2.9:1/Thing"


class Site:
    """The folder, and who is in it."""

    def __init__(self, callis, folder, *servers):
        self.callis, self.folder = callis, folder
        self.sockets = {"CALLIS_SOCKETS": str(folder / "sockets")}
        self.run("tls", "init", folder / "site")
        self.run("tls", "issue", folder / "site", "ops", "--client")
        for name in servers:
            self.run("tls", "issue", folder / "site", name, "--server")

    def of(self, name):
        return self.folder / "site" / name

    def run(self, *words, status=0):
        done = subprocess.run([str(w) for w in (self.callis, *words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              stdin=subprocess.DEVNULL, timeout=TIMEOUT, check=False, env={**os.environ, **self.sockets})
        if done.returncode not in (status if isinstance(status, tuple) else (status,)):
            raise Failure(f"callis {' '.join(map(str, words))} ended with {done.returncode}: {done.stdout}")
        return done.stdout

    def serve(self, processes, name, *words, environment=None):
        """A service, with the certificate of that name; its port of TLS."""
        port = fixed_port()
        server = processes.start(name, [self.callis, *words, "--tls", self.of(name), "-ORBEndpoint", f"tls:127.0.0.1:{port}"],
                                 environment={**self.sockets, **(environment or {})})
        server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)
        return server, port


def url(port, key):
    return f"corbaloc:ssliop:127.0.0.1:{port}/{key}"


def want(text, part):
    if part not in text:
        raise Failure(f"'{part}' is not in:\n{text}")


def refused(site, *words):
    want(site.run(*words, status=4), "NO_PERMISSION")


def naming(site, processes):
    _, near = site.serve(processes, "near", "naming", "--allow", "write=cert:CN=ops")
    _, far = site.serve(processes, "far", "naming", "--allow", "write=cert:CN=ops,read=cert:CN=near,cert:CN=ops")
    near, far = url(near, "NameService"), url(far, "NameService")
    site.run("ns", "--tls", site.of("ops"), "--name-service", far, "bind", "thing", THING)
    site.run("ns", "--tls", site.of("ops"), "--name-service", near, "bind", "--context", "far", far)
    want(site.run("ns", "--tls", site.of("client"), "--name-service", near, "resolve", "far/thing"), "IOR:")
    refused(site, "ns", "--tls", site.of("client"), "--name-service", far, "resolve", "thing")


def trading(site, processes):
    _, near = site.serve(processes, "near", "trading", "--allow", "write=cert:CN=ops,admin=cert:CN=ops")
    _, far = site.serve(processes, "far", "trading", "--allow", "write=cert:CN=ops,read=cert:CN=near,cert:CN=ops")
    near, far = url(near, "TradingService"), url(far, "TradingService")
    for trader in (near, far):
        site.run("trade", "--tls", site.of("ops"), "--trader", trader, "types", "add", "Thing", "--interface", "IDL:Thing:1.0")
    site.run("trade", "--tls", site.of("ops"), "--trader", far, "offer", "Thing", THING)
    site.run("trade", "--tls", site.of("ops"), "--trader", near, "link", "add", "far", far, "--pass-on", "always")
    found = site.run("trade", "--tls", site.of("client"), "--trader", near, "query", "Thing", "--follow", "always", "--references")
    want(found, "IOR:")
    refused(site, "trade", "--tls", site.of("client"), "--trader", far, "query", "Thing")


def logging(site, processes):
    _, logs = site.serve(processes, "far", "logging", "--allow", "write=cert:CN=near")
    server, _ = site.serve(processes, "near", "naming", environment={"CALLIS_LOG_SINK": url(logs, "LogSink"), "CALLIS_LOG": "info"})
    server.signal(signal.SIGTERM)  # what waits is sent
    if server.finish(TIMEOUT) != 0:
        raise Failure("the service did not end well")
    want(site.run("log", "--tls", site.of("client"), "--service", url(logs, "LogService"), "tail"), "callis naming is ready")


def events(site, processes):
    """A client that is called back is a server, and has the certificate of one; it listens by TLS alone."""
    _, port = site.serve(processes, "near", "events")
    channel = url(port, "EventChannel")
    watcher = processes.start("watcher", [site.callis, "events", "watch", "--tls", site.of("far"), "--count", "1", channel, "-ORBLog", "info"],
                              environment=site.sockets)
    watcher.wait_for(lambda line: "listening" in line and "tls:" in line, TIMEOUT)
    site.run("events", "push", "--tls", site.of("ops"), channel, "--interval", "50", *["news"] * 40)
    if watcher.finish(TIMEOUT) != 0:
        raise Failure("the watcher did not end well")
    want("\n".join(watcher.output), "news")


def imr(site, processes, demand_server):
    _, repository = site.serve(processes, "near", "imr", "serve", "--allow", "admin=cert:CN=ops,cert:CN=far,write=cert:CN=server,"
                               "cert:CN=far")
    repository = url(repository, "ImplRepoService")
    activator = processes.start("far", [site.callis, "imr", "activator", "--tls", site.of("far"), "--imr", repository, "--name", "elsewhere",
                                        "--allow", "read=cert:CN=near,write=cert:CN=near"], environment=site.sockets)
    activator.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)
    reference = site.folder / "greeter.ior"
    known = ["--tls", site.of("ops"), "--imr", repository]
    site.run("imr", "add", "greeter", *known, "--activator", "elsewhere", "--env", f"CALLIS_CONFIG={site.folder}/site/server.conf",
             "--", demand_server, reference)
    refused(site, "imr", "ls", "--tls", site.of("client"), "--imr", repository)
    end = time.monotonic() + TIMEOUT
    while "has not attached" in site.run("imr", "start", "greeter", *known, status=(0, 1)):
        if time.monotonic() > end:
            raise Failure("the activator is not let in")
    call = ["call", "--tls", site.of("client"), reference, "greet", '"Ada"', "--idl",
            pathlib.Path(__file__).resolve().parents[2] / "examples/15-on-demand/greeter.idl"]
    want(site.run(*call), "Good day, Ada. This is call 1")
    site.run("imr", "stop", "greeter", *known)
    want(site.run(*call), "Good day, Ada. This is call 1")  # started by the call
    site.run("imr", "stop", "greeter", *known)


CASES = {"naming": naming, "trading": trading, "logging": logging, "events": events, "imr": imr}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--demand-server", type=pathlib.Path)
    parser.add_argument("--case", choices=CASES, required=True)
    options = parser.parse_args()
    more = [options.demand_server.resolve()] if options.case == "imr" else []
    with tempfile.TemporaryDirectory(prefix="callis-tls-services-") as made, Processes() as processes:
        try:
            CASES[options.case](Site(options.bin.resolve() / "callis", pathlib.Path(made), "near", "far"), processes, *more)
        except Failure as e:
            return f"{e}\n{processes.describe()}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
