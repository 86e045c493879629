#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the suites of measurements and prints every quantity that has a bar, behind ./dev bench.

Whatever has to be built is built by ./dev bench, which asks for it by --needs. Each suite is a module bench/suites/NAME.py
(bench/common/suite.py says what is in one). docs/design/measurement.md says how each thing is measured.
"""
import argparse
import importlib.util
import json
import os
import subprocess
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "common"))
import report  # noqa: E402
import suite  # noqa: E402
import versions  # noqa: E402

OUT = os.path.join(HERE, "out")
ALWAYS_NEEDED = ("programs",)  # what ./dev bench builds for a suite that does not say what it NEEDS


def load(name):
    """The module of a suite; None if there is none."""
    path = os.path.join(HERE, "suites", f"{name}.py")
    if not os.path.exists(path):
        return None
    spec = importlib.util.spec_from_file_location(f"suite_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def words(options, known, what):
    """The words of options that may each hold several, with commas between; all must be known."""
    found = [word for option in options for word in option.split(",") if word]
    for word in found:
        if word not in known:
            raise SystemExit(f"bench: no such {what}: {word} ({', '.join(known)})")
    return found


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="build folder with the programs (build/release)")
    parser.add_argument("--minsize", default="build/minsize", help="build folder with the smallest libraries")
    parser.add_argument("--peers", help="folder of the built peers (BUILD/peers)")
    parser.add_argument("--only", metavar="SUITE", action="append", default=[], help="not all suites; may be repeated")
    parser.add_argument("--systems", metavar="A,B", action="append", default=[], help="not all systems")
    parser.add_argument("--megabytes", metavar="N", type=int, default=0, help="how much ttcp sends a point")
    parser.add_argument("--json", metavar="FILE", default=os.path.join(OUT, "results.jsonl"),
                        help="where results go, one JSON line each (bench/out/results.jsonl)")
    parser.add_argument("--report", metavar="FILE", default=os.path.join(OUT, "report.html"),
                        help="where the page of figures goes (bench/out/report.html); none: no page")
    parser.add_argument("--record", action="store_true", help="also writes docs/papers.md and what it rests on")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is missed")
    scale = parser.add_mutually_exclusive_group()
    scale.add_argument("--quick", dest="scale", action="store_const", const="quick", help="half an hour instead of three hours")
    scale.add_argument("--tiny", dest="scale", action="store_const", const="tiny",
                       help="seconds: shows that everything works; its times mean nothing")
    parser.add_argument("--needs", action="store_true", help="only print what the suites need to be built")
    arguments = parser.parse_args()
    arguments.only = words(arguments.only, suite.SUITES, "suite") or list(suite.SUITES)
    arguments.systems = words(arguments.systems, suite.SYSTEMS, "system")
    return arguments


def new_context(arguments):
    build = os.path.abspath(arguments.build)
    return suite.Context(build=build, minsize=os.path.abspath(arguments.minsize),
                         peers=os.path.abspath(arguments.peers or os.path.join(build, "peers")),
                         scale=arguments.scale or "full", only_systems=tuple(arguments.systems),
                         megabytes=arguments.megabytes)


class Run:
    """The chosen suites, what they found and which of them failed."""

    def __init__(self, context, modules):
        self.context, self.modules = context, modules
        self.estimates = {name: module.estimate(context) for name, module in modules.items()}
        self.rows = {}      # suite: list of report.Row
        self.failures = {}  # suite: reason

    def print_plan(self, absent):
        report.table(["suite", "about", "what"],
                     [[name, suite.duration(self.estimates[name]), module.TITLE] for name, module in self.modules.items()] +
                     [[name, "-", "missing: there is no bench/suites/" + name + ".py"] for name in absent])
        report.say(f"\nabout {suite.duration(sum(self.estimates.values()))} in all, scale {self.context.scale}\n")

    def measure(self, save=lambda: None):
        """save() is called after each suite, so that a run which is broken off keeps what it has."""
        left = sum(self.estimates.values())
        for name, module in self.modules.items():
            self.context.seconds_planned = time.monotonic() - self.context.started + left
            self.guarded(name, lambda: module.run(self.context))
            self.rows[name] = self.guarded(name, lambda: module.bars(self.context.results)) or []
            left -= self.estimates[name]
            save()

    def guarded(self, name, act):
        """A suite that fails must not take the others with it."""
        try:
            return act()
        except Exception as e:  # whatever it is, the report names it
            traceback.print_exc()
            self.failures[name] = f"{type(e).__name__}: {e}"
            return None

    def all_rows(self):
        return [row for rows in self.rows.values() for row in rows]

    def print_results(self):
        report.print_rows(self.all_rows())
        absent = self.context.results.absent
        if absent:
            report.say("\nnot measured\n")
            report.table(["suite", "system", "reason"], [[s, system, why] for (s, system), why in absent.items()], 2)
        for name, why in self.failures.items():
            report.say(f"\nFAILED: suite {name}: {why}")

    def write(self, path, facts):
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        self.context.results.write(path, facts)
        with open(path, "a", encoding="utf-8") as f:
            for name, rows in self.rows.items():
                for row in rows:
                    f.write(json.dumps({"bar": {**row.as_json(), "suite": name}}, ensure_ascii=False) + "\n")
            for name, why in self.failures.items():
                f.write(json.dumps({"suite": name, "failed": why}, ensure_ascii=False) + "\n")


def make_page(results, page):
    """The page of figures; whether it could be made."""
    script = os.path.join(HERE, "report", "make.py")
    if page == "none":
        return True
    if not os.path.exists(script):
        report.say("no page of figures: there is no bench/report/make.py")
        return True
    os.makedirs(os.path.dirname(os.path.abspath(page)), exist_ok=True)
    if subprocess.run([sys.executable, script, results, page], check=False).returncode != 0:
        report.say("FAILED: the page of figures could not be made")
        return False
    report.say(f"figures and tables: {page}")
    return True


def main():
    arguments = parse()
    modules = {name: load(name) for name in arguments.only}
    absent = [name for name, module in modules.items() if module is None]
    modules = {name: module for name, module in modules.items() if module}
    if arguments.needs:
        print(" ".join(sorted({n for m in modules.values() for n in getattr(m, "NEEDS", ALWAYS_NEEDED)})))
        return 0
    facts = report.machine()
    for line in report.machine_lines(facts):
        report.say(line)
    run = Run(new_context(arguments), modules)
    run.print_plan(absent)
    facts.update(scale=run.context.scale, versions=versions.versions())
    run.measure(lambda: run.write(arguments.json, {**facts, "load_at_end": round(os.getloadavg()[0], 2)}))
    run.print_results()
    missed = report.summary(run.all_rows())
    report.say(f"results: {arguments.json}")
    page = make_page(arguments.json, arguments.report)
    if arguments.record:
        page = subprocess.run([sys.executable, os.path.join(HERE, "report", "verdicts.py"), arguments.json], check=False).returncode == 0 and page
    return 1 if run.failures or not page or (arguments.strict and missed) else 0


if __name__ == "__main__":
    sys.exit(main())
