#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A service's unit of systemd: its keys by systemd-analyze, where that is installed, and its command as systemd runs it: with its
folders, told ready and well by sd_notify, ended by SIGTERM.

    units.py UNIT PROGRAM
"""
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

SECONDS = 60


def fail(text):
    sys.exit(f"{sys.argv[1]}: {text}")


def verify(unit, program, folder):
    installed = f"ExecStart={program.name}"
    if installed not in unit:
        fail(f"no {installed}")
    if not shutil.which("systemd-analyze"):
        return
    tried = folder / (program.name + ".service")
    tried.write_text(unit.replace(installed, f"ExecStart={program}"))
    told = subprocess.run(["systemd-analyze", "verify", "--man=no", tried], capture_output=True, text=True)
    wrong = [line for line in (told.stdout + told.stderr).splitlines() if program.name in line]
    if wrong:
        fail("systemd-analyze: " + "\n".join(wrong))


def free_port(words):
    """The same command at a port that is free: the unit's may be taken."""
    return [re.sub(r"^tcp::\d+$", "tcp:127.0.0.1:0", word) for word in words]


def run(unit, program, folder):
    command = re.search(r"^ExecStart=(.*)$", unit, re.M).group(1).split()
    where = {"STATE_DIRECTORY": str(folder), "RUNTIME_DIRECTORY": str(folder)}
    for name in re.findall(r"\$\{(\w+)\}", " ".join(command)):
        directive = {"STATE_DIRECTORY": "StateDirectory=", "RUNTIME_DIRECTORY": "RuntimeDirectory="}.get(name)
        if not directive or directive not in unit:
            fail(f"${{{name}}} is nothing that the unit gives")
    words = free_port(re.sub(r"\$\{(\w+)\}", lambda m: where[m.group(1)], word) for word in command[1:])
    if not any(word.startswith("tcp:") for word in words):
        words += ["-ORBEndpoint", "tcp:127.0.0.1:0"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.bind(str(folder / "notify"))
        notified.settimeout(SECONDS)
        environment = {**where, "NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "200000", "PATH": "/usr/bin:/bin"}
        service = subprocess.Popen([program, *words], env=environment, cwd="/")

        def wait_for(state):
            while state not in notified.recv(4096).decode().splitlines():
                pass
        try:
            wait_for("READY=1")
            wait_for("WATCHDOG=1")
            if "/ior" in " ".join(words) and not (folder / "ior").read_text().startswith("IOR:"):
                fail("no reference in its file")
            service.send_signal(signal.SIGTERM)
            wait_for("STOPPING=1")
            if service.wait(SECONDS) != 0:
                fail(f"ended with status {service.returncode}")
        except TimeoutError:
            fail(f"has not been told what it waited for; status {service.poll()}")
        finally:
            service.kill()
            service.wait()


def main():
    unit, program = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory(prefix="callis-unit-") as folder:
        verify(unit, program, pathlib.Path(folder))
        run(unit, program, pathlib.Path(folder))


main()
