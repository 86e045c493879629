# SPDX-License-Identifier: Apache-2.0
"""What a process uses, from /proc."""
import os
import pathlib
import re
import time

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class Usage:
    """Of one process."""

    def __init__(self, pid):
        self._proc = pathlib.Path(f"/proc/{pid}")

    def resident_mb(self):
        return self._status("VmRSS")

    def peak_mb(self):
        """Since forget_peak()."""
        return self._status("VmHWM")

    def forget_peak(self):
        try:
            (self._proc / "clear_refs").write_text("5")
        except OSError:
            pass  # the peak since the process began is the worse one

    def ticks(self):
        """Processor time of all threads, also of those that have ended."""
        fields = (self._proc / "stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def ticks_over(self, seconds):
        """Processor time over so long from now."""
        before, end = self.ticks(), time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(left)  # nothing is waited for: what happens meanwhile is what is measured
        return self.ticks() - before

    def threads(self):
        return int(re.search(r"Threads:\s+(\d+)", (self._proc / "status").read_text()).group(1))

    def descriptors(self):
        return len(os.listdir(self._proc / "fd"))

    def _status(self, what):
        found = re.search(rf"{what}:\s+(\d+)", (self._proc / "status").read_text())
        return int(found.group(1)) / 1000 * 1.024 if found else 0.0
