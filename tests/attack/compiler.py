# SPDX-License-Identifier: Apache-2.0
"""Attacks on the compiler: a file each."""
import pathlib
import sys
import tempfile

from attack.report import Result
from attack.victim import SANITIZER
from harness.process import Failure

END_SECONDS = 60
# Runs what follows; its status, seconds of CPU and KiB at most are the last line.
_COMPILE = ("import resource, subprocess, sys; status = subprocess.call(sys.argv[1:]); sys.stdout.flush(); "
            "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
            "print('\\n%d %f %d' % (status, used.ru_utime + used.ru_stime, used.ru_maxrss))")


def attack_compiler(setting, kind):
    result = Result(kind, setting.preset, "compiler")
    attack = kind()
    with tempfile.TemporaryDirectory(prefix="attack.") as folder:
        file = pathlib.Path(folder) / "nasty.idl"
        file.write_text("".join(attack.text()), encoding="latin-1")
        compiler = setting.processes.start("compiler", [sys.executable, "-c", _COMPILE, setting.programs / "callis-idl",
                                                        "-o", folder, *attack.options, file], SANITIZER)
        try:
            compiler.finish(END_SECONDS)
        except Failure:
            result.complain("has not ended after a minute")
            compiler.kill()
            return result
    status, seconds, kilobytes = (float(word) for word in compiler.output[-1].split())
    result.peak_mb = kilobytes / 1000 * 1.024
    result.seen[f"{seconds:.1f} s CPU, status {status:.0f}, {len(compiler.output) - 1} lines"] = 1
    # A sanitizer makes everything some ten times slower. The short form runs beside other tests, and is not optimised.
    if seconds > attack.most_seconds * (10 if setting.sanitized else 3 if setting.short else 1):
        result.complain(f"took {seconds:.1f} s of CPU")
    if status < 0 or status > 2 or any("Sanitizer" in line or "bad_alloc" in line for line in compiler.output):
        result.complain(f"ended with status {status:.0f}: {' | '.join(compiler.output[:2])}")
    result.judge(setting.short)
    return result
