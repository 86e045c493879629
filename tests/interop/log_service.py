# SPDX-License-Identifier: Apache-2.0
"""A log service of callis under clients of both ORBs: its operations, and the exceptions with what they say."""
import pathlib
import shutil
import subprocess
import tempfile

from harness.process import Failure
from interop.echo import TIMEOUT

EXPECTED = """\
id: as said
records: 6
query: 2 3 4
mark: 2
marked: 4 5
attribute: level
no name: InvalidAttribute ''
backwards: 5 4
no grammar: InvalidGrammar
no constraint: InvalidConstraint
full: LogFull 0
is full: yes
deleted: 3
locked: LogLocked
quality: UnsupportedQoS 1
no day: InvalidMask
copy: 3 4 5
iterator: 1000 then 1998 1999
destroyed: OBJECT_NOT_EXIST
"""


def add_options(tests):
    parser = tests.add_parser("log-service", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--client", required=True, choices=("callis", "omni", "systemd"))
    parser.add_argument("--unit", type=pathlib.Path, help="callis-logging.service, for systemd")
    parser.set_defaults(run=run)


def verify_unit(options):
    if not shutil.which("systemd-analyze"):
        print("no systemd-analyze: the unit is not checked")
        return
    with tempfile.TemporaryDirectory() as folder:
        program = (pathlib.Path(options.callis).parent / "callis-logging").resolve()
        tried = pathlib.Path(folder) / "callis-logging.service"
        tried.write_text(options.unit.read_text(encoding="utf-8").replace("ExecStart=callis-logging", f"ExecStart={program}"),
                         encoding="utf-8")
        told = subprocess.run(["systemd-analyze", "verify", str(tried)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=TIMEOUT, check=False).stdout
        wrong = [line for line in told.splitlines() if "callis-logging" in line]
        if wrong:
            raise Failure("systemd-analyze: " + "\n".join(wrong))


def run(options, processes):
    if options.client == "systemd":
        verify_unit(options)
        return
    service = processes.start("logging", [options.callis, "logging", "-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBLog", "info"])
    service.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)
    address = [line for line in service.output if "references carry tcp:" in line][-1].split("references carry tcp:")[1].strip()
    client = subprocess.run([options.programs / f"log_client_{options.client}", f"corbaloc::{address}/BasicLogFactory"],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, check=False)
    if client.stdout != EXPECTED or client.returncode != 0:
        raise Failure(f"the client ended with {client.returncode} and said\n{client.stdout}\nnot\n{EXPECTED}")
