# SPDX-License-Identifier: Apache-2.0
"""Many tests by one start of Python: each runs in a process that is forked when all modules have been read."""
import os
import resource
import signal
import sys
import time
import traceback

LIMIT = 120  # seconds of a test
SKIPPED = 77


def run(path, test):
    """`test` gets a test's arguments and returns its exit status. 0: all passed, or some were skipped; 77: all were skipped."""
    with open(path, encoding="utf-8") as file:
        tests = [line.split("\t") for line in file.read().splitlines()]
    statuses = {}
    for name, *arguments in tests:
        started, used = time.monotonic(), processors()
        statuses[name] = run_apart(test, arguments)
        print(f"{name}: {verdict(statuses[name])}, {time.monotonic() - started:.2f} s, of processors {processors() - used:.2f} s", flush=True)
    failed = [name for name, status in statuses.items() if status not in (0, SKIPPED)]
    if not tests:
        print(f"there are no tests in {path}")
        return 1
    if failed:
        print(f"{len(failed)} of {len(tests)} tests failed:", *failed, sep="\n    ")
        return 1
    return SKIPPED if set(statuses.values()) == {SKIPPED} else 0


def processors():
    """Seconds that the tests so far, and what they have started, have taken of processors."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_apart(test, arguments):
    """The exit status; negative: the signal that ended the test."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        signal.alarm(LIMIT)
        status = 1
        try:
            status = test(arguments)
        except SystemExit as end:
            status = 0 if end.code is None else end.code
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status if isinstance(status, int) else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def verdict(status):
    if status == -signal.SIGALRM:
        return f"FAILED: has not ended within {LIMIT} s"
    return {0: "passed", SKIPPED: "skipped"}.get(status, f"FAILED (status {status})")
