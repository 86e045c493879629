# SPDX-License-Identifier: Apache-2.0
"""What the run says at a glance: bars, the papers' claims with verdicts, the machine, what is missing."""
import claims as claims_module
import look
import shared
from claims import NOT_MEASURED, NOT_REPRODUCED, REPRODUCED, SURPASSED, VERDICTS
from markup import Html, badge, link, text
from suite import SUITES

FACTS = {"processor": "processor", "cpus": "CPUs", "kernel": "Linux", "compiler": "compiler", "governor": "governor",
         "load": "load average before", "load_at_end": "load average at the end", "commit": "commit", "date": "date", "scale": "scale"}
BUSY = 0.3
SCALES = {"quick": "fewer points, fewer rounds and less time for each than in a full run.",
          "tiny": "this run shows that everything works. Its times, and the verdicts that rest on them, mean nothing."}


def build(report, judgements):
    report.page.section("summary", "Summary")
    report.page.paragraph(
        "The measurements of five papers on CORBA's performance (1996 to 1999), made again with callis and the middleware of "
        "today in one run on one machine. Points are medians over rounds, whiskers reach from the least to the greatest round; "
        "a system has the same colour and marker on all figures. Tables on a yellowish ground have a paper's own numbers, of "
        "the paper's hardware.")
    _tiles(report, judgements)
    _machine(report)
    _missing(report)
    _bars(report)
    _claims(report, judgements)


def _tiles(report, judgements):
    bars = [b for b in report.results.bars if b["bar"]]
    held = sum(bool(b["pass"]) for b in bars)
    tiles = [(f"{held} of {len(bars)}", "bars held")] if bars else [("none", "bars in these results")]
    tiles += [(sum(j.verdict == v for j in judgements), f"claims {v}") for v in VERDICTS]
    report.page.add('<div class="tiles">' + "".join(
        f'<div class="tile"><b>{text(count)}</b>{text(words)}</div>' for count, words in tiles) + "</div>")


def _machine(report):
    report.page.section("machine", "Machine and versions", 3)
    facts = report.results.machine
    if not facts:
        report.page.absent("The results do not say on which machine they were measured.")
        return
    rows = [[FACTS.get(key, key), ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value]
            for key, value in facts.items()]
    report.page.start("words")
    report.page.table(["fact", "value"], rows, "The machine of this run.")
    report.page.end()
    loads = [facts[k] for k in ("load",) if isinstance(facts.get(k), (int, float))]
    if loads and max(loads) > BUSY:
        report.page.absent(f"The machine was busy (load average {max(loads):.2f}): times are noise, counts and sizes are not.")
    if facts.get("scale") in SCALES:
        report.page.absent(f"Scale {facts['scale']}: {SCALES[facts['scale']]}")


def _missing(report):
    report.page.section("missing", "What is missing", 3)
    results = report.results
    rows = [[suite, "the whole suite", "nothing of it in these results"] for suite in SUITES
            if not results.measured(suite) and suite not in results.failed]
    rows += [[suite, "the suite failed", why] for suite, why in results.failed.items()]
    for suite in SUITES:
        missing = results.missing(suite)
        if len(missing) > shared.MANY_MISSING:
            rows.append([suite, f"{len(missing)} things", Html(f"see {link(suite, 'the section ' + suite)}")])
        else:
            rows += [[suite, look.label(system), why] for system, why in missing.items()]
    if rows:
        report.page.start("words")
        report.page.table(["suite", "system", "reason"], rows, "Not measured in this run.", labels=2)
        report.page.end()
    else:
        report.page.paragraph("Every suite has results, and no system was reported missing.")


def _bars(report):
    report.page.section("bars", "Bars", 3)
    bars = [b for b in report.results.bars if b["bar"]]
    if not bars:
        report.page.absent("No quantity with a bar in these results.")
        return
    for kind, chosen in (("missed", [b for b in bars if not b["pass"]]), ("held", [b for b in bars if b["pass"]])):
        if chosen:
            if kind == "held":
                report.page.details(f"The {len(chosen)} bars held")
            rows = [[b["suite"], b["section"], b["name"], shared.value_text(b["value"], b["unit"]),
                     shared.limit_text(b["bar"]), shared.verdict(b)] for b in chosen]
            report.page.start("words")
            report.page.table(["suite", "section", "quantity", "value", "bar", ""], rows,
                              f"Bars {kind}: {len(chosen)} of {len(bars)}.", labels=3)
            report.page.end()
            if kind == "held":
                report.page.end_details()


def _claims(report, judgements):
    report.page.section("claims", "The papers' claims", 3)
    report.page.paragraph(
        "Each claim is in our own words, with the paper's number, what measures it here, and the number of this run. "
        "Reproduced: the number of this run agrees as the last column says; surpassed: it goes beyond by as much as said; "
        "not measured: the results have nothing for it. Below each stands the paper's sentence, and a falsifying variant: what the "
        "same measure says of something for which the claim must not be reproduced.")
    for paper in report.papers.by_id:
        rows = [_claim_row(report, j) for j in judgements if j.claim["paper"] == paper]
        document = report.papers.by_id[paper]
        report.page.start("words")
        report.page.table(["claim, and what measures it here", "verdict", "here", "in the paper", "thresholds"], rows,
                          Html(f"<b>{text(document['short'])}</b> {text(document['authors'])}: "
                               f"<cite>{text(document['title'])}</cite>, {document['year']}."), anchor=f"claims-{paper}")
        report.page.end()


def _claim_row(report, judgement):
    claim = judgement.claim
    kind = {SURPASSED: "surpassed", REPRODUCED: "reproduced", NOT_REPRODUCED: "not-reproduced",
            NOT_MEASURED: "not-measured"}[judgement.verdict]
    here = "–" if judgement.value is None else value_words(judgement.value, claim)
    if judgement.points > 1:
        here = Html(f'{text(here)}<br><span class="muted">{text(claim["measure"]["take"])} of {judgement.points}</span>')
    small = [claims_module.measure_words(claim["measure"]), f"“{claim['sentence']}” ({claim['where']})"]
    small += [f"Falsifying variant: {v['variant']}: {variant_words(found)}"
              for v, found in zip(claims_module.variants(claim), judgement.variants)]
    words = Html("<br>".join([text(claim["claim"])] + [f'<span class="muted small">{text(s)}</span>' for s in small]))
    return [words, badge(kind, judgement.verdict), here, _paper_words(report, claim), _threshold_words(claim)]


def variant_words(judgement):
    if judgement.value is None:
        return "not measured"
    return f"{value_words(judgement.value, judgement.claim)}, {judgement.verdict}"


def value_words(value, claim):
    unit = claim["unit"]
    return f"{look.number(100 * value)}\u00a0%" if unit == "%" else f"{look.number(value)}\u00a0{unit}".strip()


def _paper_words(report, claim):
    parts = []
    for reference in claim["numbers"]:
        n = report.papers.number(reference)
        parts.append(f'<b>{text(n.text)}</b> <span class="muted small">{text(n.what)} ({text(n.where)})</span>')
    return Html("<br>".join(parts))


def _threshold_words(claim):
    surpassed = claim["surpassed"] and claims_module.threshold_words(claim, claim["surpassed"])
    more = f'<br><span class="muted">surpassed {text(surpassed)}</span>' if surpassed else ""
    return Html(text(claims_module.threshold_words(claim, claim["reproduced"])) + more)
