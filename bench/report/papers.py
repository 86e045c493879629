# SPDX-License-Identifier: Apache-2.0
"""The papers' own numbers (bench/papers/*.json) by reference.

A paper has numbers, each with value, unit, place (where), meaning (what) and a key of the paper's hardware; and tables:
title, place, unit, hardware, columns, the count of label columns in front, rows. References are texts:

    sigcomm96:numbers/rpc_peak             a number
    sigcomm96:table1/RPC/loopback scalars, high      a cell: the labels of its row, joined by " | ", and its column
"""
import json
import os
from dataclasses import dataclass

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "papers")
IDS = ("sigcomm96", "hicss98", "thesis98", "infocom99", "jsac99")


@dataclass(frozen=True)
class Number:
    """One number of a paper. value is None where the text at hand has a gap."""
    paper: str      # as people say it: SIGCOMM'96
    where: str      # table, figure or section
    what: str
    value: float
    unit: str
    hardware: str


    @property
    def text(self):
        if self.unit == "1":
            return f"{100 * self.value:g}\u00a0%"
        return f"{self.value:,}" + ("" if ";" in self.unit else f"\u00a0{self.unit}")


class Papers:
    def __init__(self, folder=FOLDER):
        self.by_id = {}
        for name in IDS:
            with open(os.path.join(folder, f"{name}.json"), encoding="utf-8") as f:
                self.by_id[name] = json.load(f)

    def short(self, paper):
        return self.by_id[paper]["short"]

    def table(self, paper, name):
        return self.by_id[paper]["tables"][name]

    def hardware(self, paper, table):
        return self.by_id[paper]["hardware"][table["hardware"]]

    def number(self, reference):
        """Raises KeyError, with the reference, if there is none."""
        try:
            paper, _, path = reference.partition(":")
            document = self.by_id[paper]
            table, _, rest = path.partition("/")
            if table == "numbers":
                n = document["numbers"][rest]
                return Number(document["short"], n["where"], n["what"], n["value"], n["unit"],
                              document["hardware"][n["hardware"]])
            row, column = rest.rsplit("/", 1)
            t = document["tables"][table]
            return Number(document["short"], t["where"], f"{row}, {column}", cell(t, row, column), t["unit"],
                          document["hardware"][t["hardware"]])
        except (KeyError, ValueError) as e:
            raise KeyError(f"no such number in the papers: {reference}") from e


def cell(table, row, column):
    """The value of a row, named by its labels joined by ' | ', in a column."""
    at = table["columns"].index(column)
    for r in table["rows"]:
        if " | ".join(r[:table["labels"]]) == row:
            return r[at]
    raise KeyError(row)
