# SPDX-License-Identifier: Apache-2.0
"""Figures as inline SVG, drawn by matplotlib (Debian: python3-matplotlib). Text stays text, ids are unique in a page.

A series is (Style, [(x, Value)]). Whiskers reach from the least to the greatest round. What is None is not drawn.
"""
import html
import io
import math
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator  # noqa: E402

from look import number, size_text  # noqa: E402

plt.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "callis", "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.labelsize": 10, "axes.spines.top": False,
    "axes.spines.right": False, "axes.edgecolor": "#555555", "axes.grid": True, "grid.color": "#dddddd",
    "grid.linewidth": 0.6, "legend.frameon": False, "xtick.color": "#333333", "ytick.color": "#333333",
    "axes.axisbelow": True, "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none"})


class Drawer:
    """Makes the figures of one page; each gets its own prefix of ids."""

    def __init__(self):
        self.count = 0

    def svg(self, figure, alt):
        self.count += 1
        out = io.StringIO()
        figure.savefig(out, format="svg", bbox_inches="tight", pad_inches=0.06,
                       metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
        plt.close(figure)
        return _inline(out.getvalue(), f"f{self.count}-", alt)

    def panels(self, panels, alt, columns=2, height=3.1, **options):
        """Several plots of lines side by side under one legend. panels: [(title, series)]; options as for _lines()."""
        rows = -(-len(panels) // columns)
        figure, axes = plt.subplots(rows, columns, figsize=(5.1 * columns, height * rows + 0.6), squeeze=False)
        for axis, (title, series) in zip(axes.flat, panels):
            axis.set_title(title, loc="left")
            _lines(axis, series, **options)
        for axis in list(axes.flat)[len(panels):]:
            axis.set_visible(False)
        figure.tight_layout(h_pad=1.6, w_pad=1.6)
        styles = list(dict.fromkeys(style for _, series in panels for style, points in series if points))
        _legend(figure, styles, columns)
        return self.svg(figure, alt)

    def dots(self, categories, series, alt, xlabel, log=True, reference=None, band=None, width=10.2):
        """One row a category, in it one dot a series. series: [(Style, {category: Value})]; reference: a line at x; band: grey
        from x to x."""
        series = [(style, values) for style, values in series if any(c in values for c in categories)]
        step = 0.8 / max(1, len(series))
        height = max(0.42, 0.13 * len(series) + 0.14) * len(categories) + 1.1
        figure, axis = plt.subplots(figsize=(width, height))
        for n, (style, values) in enumerate(series):
            at = [(k + (n - (len(series) - 1) / 2) * step, values[c]) for k, c in enumerate(categories) if c in values]
            axis.errorbar([v.median for _, v in at], [y for y, _ in at], xerr=_whiskers([v for _, v in at]),
                          fmt=style.marker, color=style.colour, markersize=5.5, elinewidth=1)
        _rows(axis, categories)
        if band:
            axis.axvspan(*band, color="#dfdfdf", zorder=0)
        if log:
            _log_axis(axis, "x")
        else:
            axis.set_xlim(left=0)
        if reference is not None:
            axis.axvline(reference, color="#000000", linewidth=1, linestyle="--")
        axis.set_xlabel(xlabel)
        figure.tight_layout()
        _legend(figure, [style for style, _ in series], 2)
        return self.svg(figure, alt)

    def bars(self, categories, series, alt, xlabel, width=10.2):
        """Horizontal bars, one a series in each category. series: [(Style, {category: number})]."""
        series = [(style, values) for style, values in series if any(c in values for c in categories)]
        step = 0.8 / max(1, len(series))
        figure, axis = plt.subplots(figsize=(width, max(0.36, 0.2 * len(series)) * len(categories) + 1.1))
        for n, (style, values) in enumerate(series):
            at = [(k + (n - (len(series) - 1) / 2) * step, values[c]) for k, c in enumerate(categories) if c in values]
            axis.barh([y for y, _ in at], [v for _, v in at], height=step * 0.88, color=style.colour)
            for y, v in at:
                axis.annotate(number(v), (v, y), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8.5)
        _rows(axis, categories)
        axis.margins(x=0.1)
        axis.set_xlim(left=0)
        axis.xaxis.set_major_formatter(FuncFormatter(lambda x, _: number(x)))
        axis.set_xlabel(xlabel)
        figure.tight_layout()
        _legend(figure, [style for style, _ in series], 2, filled=True)
        return self.svg(figure, alt)


    def stacked(self, rows, styles, alt, xlabel, width=10.2):
        """Bars of 100 %, a part a style, with the whole beside them. rows: [(label, {style's label: number})]."""
        figure, axis = plt.subplots(figsize=(width, 0.27 * len(rows) + 1.0))
        for y, (_, parts) in enumerate(rows):
            left, whole = 0.0, sum(parts.values())
            for style in styles:
                share = 100 * parts.get(style.label, 0) / whole if whole else 0
                axis.barh(y, share, left=left, height=0.8, color=style.colour)
                left += share
            axis.annotate(f"{whole:,.0f}", (100, y), xytext=(5, 0), textcoords="offset points", va="center", fontsize=8.5)
        _rows(axis, [label for label, _ in rows])
        axis.set_xlim(0, 100)
        axis.set_xlabel(xlabel)
        figure.tight_layout()
        _legend(figure, styles, 2, filled=True)
        return self.svg(figure, alt)


def _rows(axis, categories):
    axis.set_yticks(range(len(categories)), categories)
    axis.set_ylim(len(categories) - 0.5, -0.5)
    axis.tick_params(axis="y", length=0)
    axis.grid(False, axis="y")
    for k in range(1, len(categories)):
        axis.axhline(k - 0.5, color="#e4e4e4", linewidth=0.8)


def _whiskers(values):
    return [[v.median - v.least for v in values], [v.greatest - v.median for v in values]]


def _lines(axis, series, xlabel, ylabel, xscale="size", yscale="linear"):
    """xscale: size (bytes, powers of two) or log; yscale: linear from 0, or log."""
    xs = sorted({x for _, points in series for x, _ in points})
    for style, points in series:
        points = sorted(points, key=lambda p: p[0])
        if points:
            axis.errorbar([x for x, _ in points], [v.median for _, v in points],
                          yerr=_whiskers([v for _, v in points]), color=style.colour, marker=style.marker,
                          linestyle=style.dash, linewidth=style.width, markersize=5, elinewidth=0.9)
    axis.set_xlabel(xlabel)
    axis.set_ylabel(ylabel)
    axis.set_xscale("log", base=2 if xscale == "size" else 10)
    axis.set_xticks(xs, [size_text(int(x)) if xscale == "size" else x_label(x, xs) for x in xs])
    axis.xaxis.set_minor_locator(NullLocator())
    if len(xs) > 8 or (xscale != "size" and len(xs) > 6):
        axis.tick_params(axis="x", labelsize=8.5)
    if yscale == "log":
        _log_axis(axis, "y")
    else:
        axis.set_ylim(bottom=0)
        axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:,g}"))


def x_label(x, xs):
    """x as text, but none where the next label to the right on a logarithmic axis would run into it."""
    space = 0.09 * math.log(xs[-1] / xs[0]) if len(xs) > 1 else 0
    kept = [xs[-1]]
    for each in reversed(xs[:-1]):
        if math.log(kept[-1] / each) > space:
            kept.append(each)
    return number(int(x)) if x in kept else ""


def _log_axis(axis, which):
    """Logarithmic, with enough labels also where it spans less than a decade."""
    getattr(axis, f"set_{which}scale")("log")
    low, high = getattr(axis, f"get_{which}lim")()
    side = getattr(axis, f"{which}axis")
    span = high / low if low > 0 else 1
    if span < 4:
        side.set_major_locator(MaxNLocator(6))
    else:
        side.set_major_locator(LogLocator(subs=(1, 2, 5) if span < 3000 else (1,), numticks=20))
    side.set_minor_locator(NullLocator())
    side.set_major_formatter(FuncFormatter(lambda x, _: number(x, 3 if span < 4 else 2)))
    side.set_minor_formatter(NullFormatter())


def _legend(figure, styles, columns, filled=False):
    """Above the plots, outside of the data."""
    if filled:
        handles = [plt.Rectangle((0, 0), 1, 1, color=s.colour) for s in styles]
    else:
        handles = [Line2D([], [], color=s.colour, marker=s.marker, linestyle=s.dash, linewidth=s.width) for s in styles]
    across = 2 * columns + 1
    across = -(-len(styles) // -(-len(styles) // across)) if styles else 1  # rows of equal length
    figure.legend(handles, [s.label for s in styles], loc="lower center", bbox_to_anchor=(0.5, 1.0),
                  ncol=across, fontsize=9.5, handlelength=2.2, columnspacing=1.6)


def _inline(svg, prefix, alt):
    """An svg element for a page: own ids, numbers no longer than is seen, fonts by the page's style sheet."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<style.*?</style>", "", svg, flags=re.S)
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg))
    used = {name for pair in used for name in pair if name}
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="{prefix}{m.group(1)}"' if m.group(1) in used else "", svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}", svg)
    svg = re.sub(r"xlink:href", "href", svg)
    svg = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font-size: \1", svg)
    svg = re.sub(r"font: bold ([\d.]+px) [^;\"]*|font: 700 ([\d.]+px) [^;\"]*",
                 lambda m: f"font-weight: 700; font-size: {m.group(1) or m.group(2)}", svg)
    svg = re.sub(r"-?\d+\.\d{3,}", lambda m: f"{float(m.group()):.2f}".rstrip("0").rstrip("."), svg)
    svg = re.sub(r"\s*\n\s*", "\n", svg)
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()
    inner = svg[svg.index(">") + 1:]
    return (f'<svg viewBox="0 0 {width} {height}" width="{float(width) * 4 / 3:.0f}" role="img">'
            f"<title>{html.escape(alt)}</title>{inner}")
