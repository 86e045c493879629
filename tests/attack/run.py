#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile peers against live servers and clients: what is promised, and whether it held.

    run.py --programs DIR [--preset release|asan] [--model connection|pool|single]... [--only NAME]... [--quick]

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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from attack import report, themes  # noqa: E402
from attack.arena import Arena  # noqa: E402
from attack.attack import Attack, ClientAttack, CompilerAttack  # noqa: E402

TIMES = 3  # that an attack is run when nothing but the good client's p99 was too much: other programs share the machine
MODELS = ("connection", "pool", "single")


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
    parser.add_argument("--model", action="append", choices=MODELS, help="thread models; all when none is said")
    parser.add_argument("--only", action="append", help="attacks whose names contain this")
    parser.add_argument("--quick", action="store_true", help="the short form: a second each, one victim for many")
    parser.add_argument("--json", type=pathlib.Path, help="a file for all figures")
    parser.add_argument("--list", action="store_true", help="names and descriptions alone")
    return parser.parse_args()


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

    def done(run, kind):
        for _ in range(TIMES):
            result = run(kind)
            if not result.only_slow:
                break
        results.append(result)
        report.show(report.line(result))

    programs = options.programs.resolve()
    for model in options.model or MODELS:
        with Arena(programs, options.preset, model, options.quick) as arena:
            for kind in chosen:
                if issubclass(kind, Attack):
                    done(arena.against_server, kind)
            arena.end_victim(results[-1] if results else None)
    with Arena(programs, options.preset, "client", options.quick) as arena:
        for kind in chosen:
            if issubclass(kind, ClientAttack):
                done(arena.against_client, kind)
            if issubclass(kind, CompilerAttack):
                done(arena.against_compiler, kind)
    if options.json:
        options.json.write_text(json.dumps([result.json() for result in results], indent=1) + "\n", encoding="utf-8")
    failed = [result for result in results if not result.held]
    report.show(f"{len(results) - len(failed)} of {len(results)} held ({options.preset})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
