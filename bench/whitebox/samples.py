# SPDX-License-Identifier: Apache-2.0
"""Where the time of a process goes, kernel and user: samples of its processor time with their callers, by perf.

A sample in the kernel belongs to the system call that led there ("kernel/writev"), or to "kernel/other" (interrupts, faults).
A sample elsewhere belongs to its function. Sending over loopback does much of the receiver's work within the sender's system
call; that is the kernel's way, and the papers' too.
"""
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("common", "tools")]
import callgrind  # noqa: E402
from pairs import Pair, run_client  # noqa: E402
from processes import Failure  # noqa: E402

SIDES = ("sender", "receiver")
FREQUENCY = 2_000  # samples a second of processor time
FEWEST = 100       # of a side
FRAME = re.compile(r"\s*([0-9a-f]+) (.*) \((.*)\)$")
SYSTEM_CALL = re.compile(r"__(?:x64|arm64|ia32|se)_sys_(\w+)$")
RECORD = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(FREQUENCY), "-g"]


def lacking():
    """Why nothing can be sampled here; None if it can."""
    if not shutil.which("perf"):
        return "perf is not installed (Debian: linux-perf)"
    with tempfile.TemporaryDirectory(prefix="callis-bench-") as folder:
        done = subprocess.run([*RECORD, "-o", os.path.join(folder, "out"), "--", "true"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, check=False)
    return None if done.returncode == 0 else f"perf is not allowed: {(done.stderr.strip().splitlines() or ['no word'])[0]}"


def is_kernel(library):
    return library.startswith("[") and library not in ("[vdso]", "[unknown]")


def place(frames):
    """The name of a sample whose frames are (function, library), the innermost first."""
    function, library = frames[0]
    if is_kernel(library):
        for name, where in frames:
            match = SYSTEM_CALL.match(name) if is_kernel(where) else None
            if match:
                return f"kernel/{match.group(1)}"
        return "kernel/other"
    if function == "[unknown]":
        return f"user/{os.path.basename(library)}"
    return f"user/{callgrind.short(function)}"


def shares(text):
    """{name: share} of what perf script prints: stacks, with empty lines between them."""
    counts = tally(text)
    whole = sum(counts.values())
    return {name: count / whole for name, count in counts.items()}


def tally(text):
    """{name: samples} of the same."""
    counts, frames = {}, []
    for line in [*text.splitlines(), ""]:
        match = FRAME.match(line)
        if match:
            frames.append((match.group(2), match.group(3)))
        elif frames:
            name = place(frames)
            counts[name] = counts.get(name, 0) + 1
            frames = []
    whole = sum(counts.values())
    if whole < FEWEST:
        raise Failure(f"only {whole} samples")
    return counts


def read(file):
    done = subprocess.run(["perf", "script", "-i", file, "-F", "ip,sym,dso"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False)
    if done.returncode != 0:
        raise Failure(f"perf script: {(done.stderr.strip().splitlines() or ['no word'])[-1]}")
    return tally(done.stdout)


@contextlib.contextmanager
def recording(pid, file):
    """Samples a process that runs already."""
    recorder = subprocess.Popen([*RECORD, "-p", str(pid), "-o", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 10
        while not (os.path.exists(file) and os.path.getsize(file)) and recorder.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        yield
    finally:
        recorder.send_signal(signal.SIGINT)
        recorder.wait(30)


def measure(context, system, suite, options, seconds=120):
    """{side: {name: milliseconds of processor time}} of a client, the sender, and its server, the receiver, on one CPU."""
    cpus = context.placements()["one-cpu"]
    with tempfile.TemporaryDirectory(prefix="callis-bench-") as folder, Pair(context, system, suite, cpus) as pair:
        files = {side: os.path.join(folder, side) for side in SIDES}
        with recording(pair.process.pid, files["receiver"]):
            command = [*RECORD, "-o", files["sender"], "--", pair.client, suite, "--reference", pair.reference, *map(str, options),
                       *pair.client_options]
            run_client(command, cpus[1], pair.environment, seconds)
        return {side: {name: 1000 * count / FREQUENCY for name, count in read(file).items()} for side, file in files.items()}
