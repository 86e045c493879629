# SPDX-License-Identifier: Apache-2.0
"""What the sections of the page have in common: values as cells, series, tables of papers, what is absent."""
import statistics
from dataclasses import dataclass

import look
from markup import Html, text
from papers import Papers
from plots import Drawer
from results import Results, Value


MANY_MISSING = 5  # of a suite; more than these are folded


@dataclass
class Report:
    """What a section is given: it reads results and papers, draws, and adds to the page."""
    results: Results
    papers: Papers
    page: object
    draw: Drawer


def opening(report, suite, title, words):
    """Head of a suite's section, with what is missing in it; whether there is anything to show."""
    page, results = report.page, report.results
    page.section(suite, title)
    page.paragraph(words)
    if suite in results.failed:
        page.absent(f"The suite {suite} failed: {results.failed[suite]}")
    missing = [Html(f"<b>{text(look.label(system))}</b> is missing in {text(suite)}: {text(why)}")
               for system, why in results.missing(suite).items()]
    if len(missing) > MANY_MISSING:
        page.details(f"{len(missing)} things are missing in {suite}")
    if missing:
        page.absent(Html("<br>".join(missing)))
    if len(missing) > MANY_MISSING:
        page.end_details()
    if not results.measured(suite):
        page.absent(f"The suite {suite} has no results in this run: nothing was measured, so nothing is drawn.")
        return False
    return True


def closing(report, suite):
    """The bars of a suite, when it has some."""
    bars = report.results.bars_of(suite)
    if bars:
        bars_table(report, bars, f"Quantities of {suite} with their bars.")


def bars_table(report, bars, caption):
    rows = [[b["section"], b["name"], value_text(b["value"], b["unit"]), limit_text(b["bar"]), verdict(b), b["note"]]
            for b in bars]
    report.page.start("words")
    report.page.table(["section", "quantity", "value", "bar", "", "note"], rows, caption, labels=2)
    report.page.end()


def verdict(bar):
    if bar["bar"] is None:
        return ""
    if bar["value"] is None:
        return Html('<span class="badge not-measured">not measured</span>')
    return Html('<span class="badge held">held</span>' if bar["pass"] else '<span class="badge missed">missed</span>')


def limit_text(limit):
    return f"{'≤' if limit[0] == '<=' else '≥'}\u00a0{limit[1]:,g}" if limit else ""


def value_text(value, unit=""):
    return f"{look.number(value)}\u00a0{look.unit(unit)}".strip() if value is not None else "none"


def value_cell(value):
    """A median, with least and greatest behind it when they differ from what is printed of it."""
    if value is None:
        return Html('<span class="muted" title="not measured">–</span>')
    middle, low, high = (look.number(x) for x in (value.median, value.least, value.greatest))
    return middle if low == high else Html(f'{middle} <span class="muted">({low}–{high})</span>')


def plain_cell(value):
    return Html('<span class="muted" title="not measured">–</span>') if value is None else look.number(value)


def percent(value):
    return Html('<span class="muted" title="not measured">–</span>') if value is None else f"{look.number(100 * value)} %"


def over(values):
    """One Value of many numbers: their median, least and greatest; None of none."""
    values = list(values)
    return Value(statistics.median(values), min(values), max(values), len(values), "1") if values else None


def ratio(one, other):
    """A Value that is the ratio of two medians; its range is what the ranges allow. None if either is."""
    if one is None or other is None or not other.median:
        return None
    return Value(one.median / other.median, one.least / (other.greatest or other.median),
                 one.greatest / (other.least or other.median), min(one.runs, other.runs), "1")


def rounds(results, suite):
    """How many rounds a suite's values are of, in words."""
    runs = [v.runs for k, v in results.values.items() if k[0] == suite]
    if not runs:
        return ""
    few, many = min(runs), max(runs)
    count = f"{few:.0f}" if few == many else f"{few:.0f} to {many:.0f}"
    return f"medians of {count} round{'' if many == 1 else 's'}, whiskers from the least to the greatest"


def paper_table(report, paper, name, caption=None):
    """A table of a paper, with its own numbers."""
    t = report.papers.table(paper, name)
    where = f"{report.papers.short(paper)}, {t['where']}"
    note = f" Note: {t['note']}." if t.get("note") else ""
    hardware = report.papers.hardware(paper, t)
    measure = f" In {t['unit']}." if t["unit"] else ""
    rows, before = [], None
    for row in t["rows"]:
        rows.append(["" if before and n < t["labels"] - 1 and row[:n + 1] == before[:n + 1] else
                     paper_cell(c) for n, c in enumerate(row)])
        before = row
    report.page.table(t["columns"], rows, f"{where}: {caption or t['title']}.{measure} {hardware}.{note}",
                      labels=t["labels"], paper=True)


def paper_cell(value):
    if value is None:
        return Html('<span class="muted" title="not in the text at hand">–</span>')
    return value if isinstance(value, str) else f"{value:,}"


def pivot(report, suite, keys, row_of, column_of, caption, corner, labels=1):
    """A table of medians: keys are (system, case, metric); row_of gives a row's labels, column_of a column's name."""
    rows, columns, cells = {}, {}, {}
    for key in keys:
        row, column = tuple(row_of(*key)), column_of(*key)
        rows[row] = columns[column] = None
        cells.setdefault((row, column), report.results.value(suite, *key))
    table = [[*row, *(value_cell(cells.get((row, column))) for column in columns)] for row in rows]
    report.page.table([*corner, *columns], table, caption, labels=labels)


def function_rows(report, suite, system, name, whole, functions):
    """Rows name, function, instructions, calls, share, most instructions first; functions: {case: function}. whole: all
    instructions, also of functions that are not listed; None: the sum of those that are."""
    found = [(function, report.results.median(suite, system, case, "instructions"),
              report.results.median(suite, system, case, "calls")) for case, function in functions.items()]
    found = sorted((f for f in found if f[1] is not None), key=lambda f: -f[1])
    whole = whole or sum(f[1] for f in found)
    return [[name if n == 0 else "", function or "all", plain_cell(count), plain_cell(calls),
             f"{100 * count / whole:.1f}" if whole else ""] for n, (function, count, calls) in enumerate(found)]


def leftovers(report, suite, understood):
    """Shows what the section has no figure for, so that nothing measured is lost from the page."""
    keys = [k for k in report.results.keys(suite) if not understood(*k)]
    if keys:
        report.page.section(f"{suite}-other", "Other values", 3)
        pivot(report, suite, keys, lambda system, case, _: (look.label(system), case), _metric_column,
              f"Values of {suite} that no figure above shows; medians.", ("system", "case"), labels=2)


def _metric_column(_system, _case, metric):
    return metric_text(metric)


METRIC_WORDS = {"p50_us": "p50 (µs)", "p99_us": "p99 (µs)", "p999_us": "p99.9 (µs)", "p9999_us": "p99.99 (µs)",
                "greatest_us": "greatest (µs)", "inverted_p50_us": "for lower ones, p50 (µs)",
                "inverted_p99_us": "for lower ones, p99 (µs)", "inverted_greatest_us": "for lower ones, greatest (µs)",
                "waited_p50_us": "in all, p50 (µs)", "waited_p99_us": "in all, p99 (µs)", "waited_greatest_us": "in all, greatest (µs)",
                "calls_per_s": "calls/s",
                "code_misses": "misses of code", "data_misses": "of data", "last_misses": "of the last cache", "wakeups_per_s": "wake-ups/s", "cpu_us_per_s": "µs of processor/s", "gbit_s": "Gbit/s", "receiver_gbit_s": "Gbit/s at the receiver", "ns_per_element": "ns an element",
                "ns": "ns", "connections_per_s": "connections/s", "cpu_us": "µs of the server's processor a call"}


def metric_text(metric):
    return METRIC_WORDS.get(metric, metric)
