#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes one HTML page of what ./dev bench measured: make.py RESULTS.jsonl OUT.html

The page has the figures and tables of the five papers again, each beside the paper's own numbers, and the papers' claims
with a verdict each. It loads nothing: style and figures are in it. What was not measured is named with the reason.
"""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "common")]
SYSTEM_PYTHON = "/usr/bin/python3"  # Debian's packages, python3-matplotlib among them, are installed for this one


def with_matplotlib():
    """Goes on in the system's Python when this one has no matplotlib."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's, which would spin and have nothing to do
    try:
        import matplotlib  # noqa: F401 pylint: disable=unused-import,import-outside-toplevel
    except ImportError:
        if os.path.exists(SYSTEM_PYTHON) and os.environ.get("CALLIS_REPORT_PYTHON") != SYSTEM_PYTHON:
            os.environ["CALLIS_REPORT_PYTHON"] = SYSTEM_PYTHON
            sys.stdout.flush()
            os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
        raise SystemExit("make.py: needs matplotlib (Debian: python3-matplotlib)") from None


def make(results):
    """The page's text."""
    from claims import judge_all  # noqa: E402 pylint: disable=import-outside-toplevel
    from markup import Page  # pylint: disable=import-outside-toplevel
    from papers import Papers  # pylint: disable=import-outside-toplevel
    from plots import Drawer  # pylint: disable=import-outside-toplevel
    from sections import (caches, core, demux, engine, growth, idle, ladder, network, param_test,  # pylint: disable=import-outside-toplevel
                          platforms, realtime, scale, services, shares, sizes, summary, ttcp, whitebox)
    from shared import Report  # pylint: disable=import-outside-toplevel
    synthetic = bool(results.machine.get("synthetic"))
    page = Page(("SYNTHETIC: made-up results. " if synthetic else "") + "callis and the papers, measured side by side")
    if synthetic:
        page.add('<p class="warning">These results are made up to test this page. Nothing in it was measured.</p>')
    report = Report(results, Papers(), page, Drawer())
    summary.build(report, judge_all(results))
    for section in (ttcp, param_test, whitebox, ladder, demux, sizes, services, scale, engine, core, realtime, idle, caches, shares, network,
                    platforms, growth):
        section.build(report)
    return page.render()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", help="JSON lines of ./dev bench")
    parser.add_argument("page", help="the HTML file to write")
    arguments = parser.parse_args()
    with_matplotlib()
    import results as results_module  # pylint: disable=import-outside-toplevel
    try:
        text = make(results_module.read(arguments.results))
    except (results_module.Error, OSError) as e:
        raise SystemExit(f"make.py: {e}") from e
    temporary = f"{arguments.page}.new"
    with open(temporary, "w", encoding="utf-8") as f:
        f.write(text)
    os.replace(temporary, arguments.page)


if __name__ == "__main__":
    main()
