# SPDX-License-Identifier: Apache-2.0
"""The page: sections, numbered figures and tables, a table of contents; HTML and CSS in one file, nothing loaded."""
import html
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def text(value):
    return html.escape(str(value), quote=True)


class Html(str):
    """Text that is HTML already."""


def cell(value):
    return value if isinstance(value, Html) else Html(text(value))


def link(target, words):
    return Html(f'<a href="#{text(target)}">{text(words)}</a>')


def badge(kind, words):
    """A short word in a colour of its own: kind is held, missed, surpassed, reproduced, not-reproduced, not-measured."""
    return Html(f'<span class="badge {kind}">{text(words)}</span>')


class Page:
    def __init__(self, title):
        self.title = title
        self.body, self.contents = [], []
        self.figures = self.tables = 0

    def add(self, markup):
        self.body.append(markup)

    def section(self, anchor, title, level=2):
        self.contents.append((level, anchor, title))
        self.add(f'<h{level} id="{text(anchor)}">{text(title)}</h{level}>')

    def paragraph(self, words):
        self.add(f"<p>{cell(words)}</p>")

    def absent(self, words):
        """Says that something is not there, and why."""
        self.add(f'<p class="absent">{cell(words)}</p>')

    def figure(self, svg, caption, anchor=None):
        self.figures += 1
        name = f' id="{text(anchor)}"' if anchor else ""
        self.add(f'<figure{name}><div class="plot">{svg}</div>'
                 f"<figcaption><b>Figure {self.figures}.</b> {cell(caption)}</figcaption></figure>")

    def table(self, head, rows, caption, labels=1, paper=False, anchor=None):
        """rows of texts; the first `labels` columns are names. paper: it is of a paper, not of this run."""
        self.tables += 1
        self.add(self.table_markup(head, rows, Html(f"<b>Table {self.tables}.</b> {cell(caption)}"), labels, paper,
                                   anchor))

    @staticmethod
    def table_markup(head, rows, caption, labels=1, paper=False, anchor=None):
        name = f' id="{text(anchor)}"' if anchor else ""
        out = [f'<div class="table{" paper" if paper else ""}"{name}><table><caption>{caption}</caption><thead><tr>']
        out += [f'<th scope="col"{"" if n < labels else " class=n"}>{cell(h)}</th>' for n, h in enumerate(head)]
        out.append("</tr></thead><tbody>")
        for row in rows:
            out.append("<tr>" + "".join(f'<th scope="row">{cell(c)}</th>' if n < labels else f"<td>{cell(c)}</td>"
                                        for n, c in enumerate(row)) + "</tr>")
        out.append("</tbody></table></div>")
        return "".join(out)

    def start(self, kind):
        """Opens a block; `beside` puts what follows side by side where the window is wide enough."""
        self.add(f'<div class="{kind}">')

    def end(self):
        self.add("</div>")

    def details(self, summary):
        """Opens what is folded on the screen and open in print; ends by end_details()."""
        self.add(f"<details><summary>{text(summary)}</summary>")

    def end_details(self):
        self.add("</details>")

    def render(self):
        with open(os.path.join(HERE, "page.css"), encoding="utf-8") as f:
            style = f.read()
        entries = "".join(f'<li class="l{level}">{link(anchor, title)}</li>' for level, anchor, title in self.contents)
        return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
                '<meta name="viewport" content="width=device-width, initial-scale=1">'
                f"<title>{text(self.title)}</title><style>\n{style}</style></head><body>"
                f'<nav aria-label="Contents"><p>Contents</p><ul>{entries}</ul></nav><main><h1>{text(self.title)}</h1>\n'
                + "\n".join(self.body) + "\n</main></body></html>\n")
