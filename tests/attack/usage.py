# SPDX-License-Identifier: Apache-2.0
"""What a process uses, from /proc and its clock."""
import pathlib
import re
import time


class Usage:
    """Of one process."""

    def __init__(self, pid):
        self._proc = pathlib.Path(f"/proc/{pid}")
        self._clock = ~pid << 3 | 2  # of its processor time: MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED)

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

    def page_faults(self):
        """Pages that the kernel has provided to it without reading a disk."""
        return int((self._proc / "stat").read_text().rpartition(")")[2].split()[7])

    def cpu_ms(self):
        """Processor time of all threads, also of those that have ended."""
        return time.clock_gettime_ns(self._clock) / 1e6

    def cpu_ms_over(self, seconds):
        """Processor time over so long from now."""
        before, end = self.cpu_ms(), time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(left)  # nothing is waited for: what happens meanwhile is what is measured
        return self.cpu_ms() - before

    def _status(self, what):
        found = re.search(rf"{what}:\s+(\d+)", (self._proc / "status").read_text())
        return int(found.group(1)) / 1000 * 1.024 if found else 0.0
