#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile peers against live servers and clients: what is promised, and whether it held.

    run.py --programs DIR [--preset release|asan] [--model connection|pool|single|lanes|client|compiler|services]... [--only NAME]... [--quick]
           [--share I/N]

Each attack on a server has a victim of its own, a good client that goes on calling, and an attacker in a process of its
own. Bars: what the attack promises; all calls of the good client answered; its p99 at most twice its p99 without (or as
much as a plain TCP ping-pong beside it has become slower, twice); memory at most 256 MB, and back to within 5 MB a second
after the attacker has gone; no processor time afterwards.
"""
import argparse
import importlib
import inspect
import json
import pathlib
import pkgutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from attack import report, themes  # noqa: E402
from attack.attack import Attack, ClientAttack, CompilerAttack  # noqa: E402
from attack.clients import attack_client  # noqa: E402
from attack.compiler import attack_compiler  # noqa: E402
from attack.full import FullForm  # noqa: E402
from attack.services import attack_service  # noqa: E402
from attack.setting import Setting  # noqa: E402
from attack.short import ShortForm  # noqa: E402
from harness.process import Processes  # noqa: E402

WHO = ("connection", "pool", "single", "lanes", "micro", "client", "compiler", "services")


def attacks(only):
    """All, or those whose names contain one of these."""
    found = []
    for module in sorted(each.name for each in pkgutil.iter_modules(themes.__path__)):
        members = vars(importlib.import_module(f"attack.themes.{module}"))
        found += [kind for kind in members.values()
                  if inspect.isclass(kind) and issubclass(kind, (Attack, ClientAttack, CompilerAttack))
                  and kind.__module__ == f"attack.themes.{module}" and not kind.__name__.startswith("_")]
    return [kind for kind in found if not only or any(text in kind.name() for text in only)]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="where attack_server and attack_client are")
    parser.add_argument("--preset", default="release", help="how they were built: asan has other bars on memory")
    parser.add_argument("--model", action="append", choices=WHO, help="servers of a thread model, or who else is attacked; all "
                        "when none is said")
    parser.add_argument("--only", action="append", help="attacks whose names contain this")
    parser.add_argument("--quick", action="store_true", help="the short form: a lap each, one victim for many")
    parser.add_argument("--share", type=share, default=(0, 1), metavar="I/N", help="of the attacks that are for every thread model each "
                        "N-th, from the I-th on: four runs with shares 0/4 to 3/4, a thread model each, have each attack once")
    parser.add_argument("--times", type=int, default=3, help="how often an attack is run in which only the p99 was too much")
    parser.add_argument("--json", type=pathlib.Path, help="a file for all figures")
    parser.add_argument("--list", action="store_true", help="names and descriptions alone")
    return parser.parse_args()


def share(text):
    number, parts = map(int, text.split("/"))
    if not 0 <= number < parts:
        raise ValueError(text)
    return number, parts


def of_share(kinds, number, parts):
    """Those for certain thread models, and each parts-th of the others."""
    general = [kind for kind in kinds if not kind.models][number::parts]
    return [kind for kind in kinds if kind.models or kind in general]


def run_all(setting, whom, chosen, share_of_it, done):
    def of(base):
        return [kind for kind in chosen if issubclass(kind, base)]

    for who in whom:
        if who == "client":
            for kind in of(ClientAttack):
                done(attack_client(setting, kind))
        elif who == "compiler":
            for kind in of(CompilerAttack):
                done(attack_compiler(setting, kind))
        elif who == "services":
            for kind in (kind for kind in of(Attack) if who in kind.models):
                done(attack_service(setting, kind))
        else:
            fit = [kind for kind in of_share(of(Attack), *share_of_it) if (not kind.models or who in kind.models) and (kind.micro or who != "micro")]
            (ShortForm if setting.short else FullForm)(setting, who).run(fit, done)


def main():
    options = parse()
    chosen = [kind for kind in attacks(options.only) if options.preset not in kind.skipped_under
              and (kind.short or not options.quick)]
    if options.list:
        for kind in chosen:
            report.show(f"{kind.name()}: {' '.join((kind.__doc__ or '').split())}")
        return 0
    if not chosen:
        report.show("no such attack")
        return 2
    report.show(report.heading())
    results = []

    def done(result):
        results.append(result)
        report.show(report.line(result, options.quick))

    begin = time.monotonic()
    with Processes() as processes:
        setting = Setting(options.programs.resolve(), options.preset, options.quick, processes, options.times)
        run_all(setting, options.model or WHO, chosen, options.share, done)
    if options.json:
        options.json.write_text(json.dumps([result.json() for result in results], indent=1) + "\n", encoding="utf-8")
    report.show(report.summary(results, options.preset, time.monotonic() - begin, options.quick))
    return 0 if all(result.held for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
