# SPDX-License-Identifier: Apache-2.0
"""What all measurements print: the machine, and rows with their bars."""
import os
import platform
import subprocess
import time

BUSY = 0.3  # load average above which wall-clock figures are noise


class Row:
    """One quantity. bar: (">=" or "<=", limit) or None for information only; note: what else to know."""

    def __init__(self, section, name, value, unit="", bar=None, note=""):
        self.section, self.name, self.value, self.unit, self.bar, self.note = section, name, value, unit, bar, note

    @property
    def passes(self):
        if self.bar is None:
            return None
        if self.value is None:
            return False
        return self.value >= self.bar[1] if self.bar[0] == ">=" else self.value <= self.bar[1]

    def cells(self):
        verdict = {None: "", True: "pass", False: "MISS"}[self.passes]
        bar = f"{self.bar[0]} {number(self.bar[1])}" if self.bar else ""
        return [self.name, "none" if self.value is None else f"{number(self.value)} {self.unit}".strip(), bar, verdict,
                self.note]

    def as_json(self):
        return {"section": self.section, "name": self.name, "value": self.value, "unit": self.unit,
                "bar": list(self.bar) if self.bar else None, "pass": self.passes, "note": self.note}


def number(x):
    if isinstance(x, int):
        return f"{x:,}"
    if x == 0:
        return "0"
    if abs(x) >= 1000:
        return f"{x:,.0f}"
    return f"{x:.2f}" if abs(x) >= 10 else f"{x:.3f}" if abs(x) >= 0.005 else f"{x:.1e}"  # a little is not nothing


def first_line(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.readline().strip()
    except OSError:
        return None


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            for line in f:
                if line.startswith(("model name", "Model")):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def commit():
    """The commit that is checked out; with a + if files differ from it."""
    folder = os.path.dirname(os.path.abspath(__file__))
    def git(*words):
        return subprocess.run(["git", "-C", folder, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    try:
        name = git("rev-parse", "--short=12", "HEAD").stdout.strip()
        return (name + ("+" if git("diff", "--quiet", "HEAD").returncode else "")) if name else "unknown"
    except OSError:
        return "unknown"


def machine():
    """Facts that a figure depends on, as a dictionary."""
    compiler = subprocess.run([os.environ.get("CXX", "c++"), "-dumpfullversion"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False).stdout.strip()
    return {"processor": processor(), "cpus": os.cpu_count(), "kernel": platform.release(), "compiler": compiler,
            "governor": first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") or "unknown",
            "load": round(os.getloadavg()[0], 2), "commit": commit(), "date": time.strftime("%Y-%m-%d", time.gmtime())}


def machine_lines(facts):
    lines = [f"{facts['processor']}, {facts['cpus']} CPUs, Linux {facts['kernel']}, c++ {facts['compiler']}, "
             f"governor {facts['governor']}, load average {facts['load']:.2f}"]
    if facts["load"] > BUSY:
        lines.append(f"WARNING: the machine is busy (load average {facts['load']:.2f}): times are noise, counts are not")
    return lines


def say(text=""):
    print(text, flush=True)


def table(head, rows, left=1, notes=True):
    """Prints rows of text in columns; the first `left` columns flush left, and the last one if it has notes."""
    widths = [max(len(r[i]) for r in [head] + rows) for i in range(len(head))]
    for n, row in enumerate([head] + rows):
        say("  " + "  ".join(c.ljust(w) if i < left or (notes and i == len(head) - 1) else c.rjust(w)
                             for i, (c, w) in enumerate(zip(row, widths))).rstrip())
        if n == 0:
            say("  " + "  ".join("-" * w for w in widths))


def print_rows(rows):
    """A table a section, in the order of first appearance."""
    for section in dict.fromkeys(r.section for r in rows):
        say(f"\n{section}\n")
        table(["quantity", "value", "bar", "", ""], [r.cells() for r in rows if r.section == section])


def summary(rows):
    """Prints how many bars are held and which are not; the rows that miss theirs."""
    barred = [r for r in rows if r.bar]
    missed = [r for r in barred if not r.passes]
    say(f"\n{len(barred)} bars, {len(barred) - len(missed)} held, {len(missed)} missed")
    for r in missed:
        cells = r.cells()
        say(f"  MISS  {r.section.split(':')[0]}: {r.name}: {cells[1]}, bar {cells[2]}")
    return missed
