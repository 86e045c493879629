# SPDX-License-Identifier: Apache-2.0
"""What must hold, what was seen, and the table of it."""
import statistics
import sys

MOST_MB = 256         # of the victim's memory, throughout
MOST_LEFT_MB = 5      # more than before, a second after the attacker has gone
MOST_LEFT_MB_SHORT = 64  # in the short form, which shows leaks alone: some of it is what malloc keeps for later, in its arenas
MOST_RATIO = 2.0      # of the good client's p99 to its p99 without the attack
MOST_WAIT_MS = 50     # of a good client that writes to a service beside readers
MOST_WAIT_MS_SHORT = 2000  # in the short form, which runs beside other tests: a writer that starves waits longer
MOST_CPU_MS = 2.0     # in the second after that: some look at a clock now and then
# A sanitizer has memory of its own. Under AddressSanitizer a victim that has served nobody has 39 MB instead of 6, freed
# blocks are kept for a while (4 MB, victim.py), and each block has red zones: so the bar is 256 MB and a quarter.
# ThreadSanitizer has four to eight bytes for each. What stays is found by LeakSanitizer when the victim ends.
MOST_MB_SANITIZED = {"asan": 320, "tsan": 1024}


class Result:
    """Of one attack."""

    def __init__(self, kind, preset, model):
        self.kind, self.preset, self.model = kind, preset, model
        self.complaints = []
        self.seen = {}
        self.laps = 0
        self.calls = self.failed = 0
        self.baseline_mb = self.peak_mb = self.after_mb = 0.0
        self.cpu_after_ms = 0.0
        self.disk_mb = self.most_wait_ms = 0.0  # of services
        self.seconds = 0.0
        self.alone50 = self.alone99 = self.under50 = self.under99 = 0.0
        self.floor_alone99 = self.floor_under99 = 0.0
        self.slow = False  # whether the good client's p99 did not hold
        self._fresh = set()

    def complain(self, text):
        if text and text not in self.complaints:
            self.complaints.append(text)

    def take(self, came_to):
        """What the attacker says."""
        self.complain(came_to.get("not held", ""))
        self.seen, self.laps = came_to.get("seen", {}), came_to.get("laps", 0)

    def count(self, measured, new_clients):
        self.calls += measured.calls + new_clients
        self.failed += measured.failed
        if new_clients and measured.fresh != "ok":
            self.failed += 1
            self._fresh.add(measured.fresh)

    def measured(self, alone, under):
        def median(rounds, what):
            return statistics.median(getattr(each, what) for each in rounds) if rounds else 0.0
        self.alone50, self.alone99 = median(alone, "p50"), median(alone, "p99")
        self.under50, self.under99 = median(under, "p50"), median(under, "p99")
        self.floor_alone99, self.floor_under99 = median(alone, "floor99"), median(under, "floor99")

    def service_alone(self, times, failed):
        """Milliseconds of the good client's calls, and words of those that failed."""
        self.calls, self.failed = len(times), failed.total()
        self.alone50, self.alone99 = _quantile(times, 0.5) * 1000, _quantile(times, 0.99) * 1000
        self._fresh |= set(failed)

    def service_under(self, times, failed):
        self.calls += len(times)
        self.failed += failed.total()
        self.under50, self.under99 = _quantile(times, 0.5) * 1000, _quantile(times, 0.99) * 1000
        self.most_wait_ms = max(times)
        self._fresh |= set(failed)

    @property
    def ratio(self):
        return self.under99 / self.alone99 if self.alone99 else 0.0

    @property
    def floor_ratio(self):
        """What the machine itself made slower: the ping-pong's p99 under the attack to its p99 without."""
        return self.floor_under99 / self.floor_alone99 if self.floor_alone99 else 0.0

    def judge(self, short):
        """Compares with the bars. The short form looks at no times: it runs beside other tests."""
        sanitized = self.preset in ("asan", "tsan")
        if self.failed:
            self.complain(f"{self.failed} of the good client's {self.calls} calls failed"
                          + (f" ({'' if self.model == 'services' else 'a new client: '}{', '.join(sorted(self._fresh))})"
                             if self._fresh else ""))
        most = getattr(self.kind, "most_mb", MOST_MB)
        if sanitized:
            most = most * MOST_MB_SANITIZED[self.preset] // MOST_MB
        if self.peak_mb > most:
            self.complain(f"peak memory {self.peak_mb:.0f} MB > {most}")
        if self.model in ("client", "compiler"):
            return
        if self.model == "services":
            most_wait = MOST_WAIT_MS_SHORT if short or sanitized else MOST_WAIT_MS
            if self.kind.judges_wait and self.most_wait_ms > most_wait:
                self.slow = True
                self.complain(f"a writer has waited {self.most_wait_ms:.0f} ms > {most_wait}")
            return
        if not sanitized and self.after_mb > self.baseline_mb + (MOST_LEFT_MB_SHORT if short else MOST_LEFT_MB):
            self.complain(f"{self.after_mb - self.baseline_mb:.1f} MB stay")
        if self.cpu_after_ms > MOST_CPU_MS:
            self.complain(f"{self.cpu_after_ms:.1f} ms of CPU after the attacker has gone")
        if not short and self.kind.latency and self.ratio > MOST_RATIO * max(1.0, self.floor_ratio):
            self.slow = True
            self.complain(f"p99 {self.ratio:.1f} times that without; the machine's part is {self.floor_ratio:.1f}")

    @property
    def fast(self):
        """Whether the good client's p99 was at most twice that without the attack, whatever the machine made slower."""
        return 0 < self.ratio <= MOST_RATIO

    @property
    def only_slow(self):
        """Nothing but time did not hold: worth another look, since other programs share the machine."""
        return self.slow and len(self.complaints) == 1

    @property
    def held(self):
        return not self.complaints

    def saw(self):
        if self.complaints:
            return "; ".join(self.complaints)
        words = [f"{count} {what}" if count != 1 else what for what, count in self.seen.items()]
        if self.model == "services":
            words.append(f"longest call {self.most_wait_ms:.0f} ms")
        return ", ".join(words)

    def json(self):
        return {"attack": self.kind.name(), "promised": self.kind.promised, "preset": self.preset,
                "model": self.model, "held": self.held, "complaints": self.complaints, "seen": self.seen,
                "laps": self.laps, "calls": self.calls, "failed": self.failed,
                "alone_p50_us": self.alone50, "alone_p99_us": self.alone99, "under_p50_us": self.under50,
                "under_p99_us": self.under99, "ratio": self.ratio, "floor_alone_p99_us": self.floor_alone99,
                "floor_under_p99_us": self.floor_under99, "floor_ratio": self.floor_ratio,
                "baseline_mb": self.baseline_mb, "peak_mb": self.peak_mb, "after_mb": self.after_mb,
                "cpu_after_ms": self.cpu_after_ms, "disk_mb": self.disk_mb, "most_wait_ms": self.most_wait_ms,
                "seconds": self.seconds}


def _quantile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


_COLUMNS = (("attack", 30), ("threads", 10), ("promised", 38), ("held", 4), ("p50/p99 alone", 13), ("under attack", 13),
            ("ratio", 5), ("<= 2", 4), ("floor", 5), ("answered", 11), ("peak MB", 13), ("1 s after", 9), ("CPU", 3),
            ("disk MB", 7), ("seen", 0))


def heading():
    return "  ".join(name.ljust(width) for name, width in _COLUMNS)


def line(result, short):
    """A row: times in microseconds; ratio: p99 under attack to p99 alone; floor: the same of the ping-pong. The short form
    has neither."""
    cells = [result.kind.name(), result.model, result.kind.promised, "yes" if result.held else "NO"]
    if result.model in ("client", "compiler"):
        cells += ["", "", "", "", "", "", f"{result.peak_mb:.0f}", "", "", ""]
    elif result.model == "services":
        cells += [f"{result.alone50:.0f}/{result.alone99:.0f}", f"{result.under50:.0f}/{result.under99:.0f}", "", "", "",
                  f"{result.calls - result.failed}/{result.calls}",
                  f"{result.peak_mb:.0f} ({result.peak_mb - result.baseline_mb:+.1f})", "", "",
                  f"{result.disk_mb:.1f}" if result.kind.durable else ""]
    else:
        cells += ["" if short else f"{result.alone50:.0f}/{result.alone99:.0f}", f"{result.under50:.0f}/{result.under99:.0f}"]
        cells += ["", "", ""] if short else [f"{result.ratio:.1f}", "yes" if result.fast else "no", f"{result.floor_ratio:.1f}"]
        cells += [f"{result.calls - result.failed}/{result.calls}",
                  f"{result.peak_mb:.0f} ({result.peak_mb - result.baseline_mb:+.1f})",
                  f"{result.after_mb - result.baseline_mb:+.1f}", f"{result.cpu_after_ms:.0f}", ""]
    cells.append(result.saw())
    return "  ".join(cell.ljust(width) for cell, (_, width) in zip(cells, _COLUMNS)).rstrip()


def summary(results, preset, seconds, short):
    held = sum(result.held for result in results)
    text = f"{held} of {len(results)} held ({preset}) in {seconds:.0f} s"
    judged = [result for result in results if result.model not in ("client", "compiler", "services") and result.kind.latency]
    if short or not judged:
        return text
    slow = [f"{result.kind.name()} ({result.model}, {result.ratio:.1f}, floor {result.floor_ratio:.1f})"
            for result in judged if not result.fast]
    text += f"\np99 of the good client at most twice that without: {len(judged) - len(slow)} of {len(judged)}"
    return text + ("; not: " + ", ".join(slow) if slow else "")


def show(text):
    print(text)
    sys.stdout.flush()
