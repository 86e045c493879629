# SPDX-License-Identifier: Apache-2.0
"""The demo's section on real time: what it says of results, and where there are none."""
import contextlib
import io
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import real_time  # noqa: E402  (it finds bench/common and bench/suites)
from real_time import FLOOR, JUDGED, OFF, SUITE, USUAL  # noqa: E402
from suite import Context, Results  # noqa: E402


def filled():
    results = Results()
    results.add(SUITE, JUDGED, "alone", "p50_us", 35)
    results.add(SUITE, JUDGED, "alone", "p99_us", 47)
    for system, p99 in ((FLOOR, [20, 20, 60]), (JUDGED, [24, 24, 72]), (USUAL, [100, 100, 330])):
        for n, value in enumerate(p99):
            results.add(SUITE, system, "flood", "p50_us", value / 2, n)
            results.add(SUITE, system, "flood", "p99_us", value, n)
    results.add(SUITE, JUDGED, "watched", "inverted_p99_us", 0)
    results.add(SUITE, OFF, "watched", "inverted_p99_us", 4321)
    return results


def shown(results):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        real_time.show(results)
    return out.getvalue()


class RealTime(unittest.TestCase):
    def test_shows_medians(self):
        self.assertEqual(real_time.rows(filled()), [["lanes, no flood", "35.0", "47.0"], ["lanes, flood", "12.0", "24.0"],
                                                    ["no lanes, flood", "50.0", "100.0"], ["bare sockets, flood", "10.0", "20.0"]])

    def test_compares_with_bare_sockets_within_rounds(self):
        self.assertIn("1.2 times that of two threads over bare sockets, without lanes 5.0 times", real_time.words(filled()))

    def test_says_how_long_requests_wait_for_low_priority(self):
        said = " ".join(real_time.words(filled()).split())
        self.assertIn("0 us (p99) with lanes, with lanes and -ORBRealTime off 4321 us", said)

    def test_is_short(self):
        self.assertLessEqual(len(shown(filled()).splitlines()), 20)

    def test_says_in_one_line_what_is_missing(self):
        def refuse(*_):
            raise PermissionError
        results = Results()
        results.missing(SUITE, JUDGED, real_time.refused(refuse))
        lines = shown(results).strip().splitlines()[1:]
        self.assertEqual([line for line in lines if line],
                         ["  not measured: SCHED_FIFO is refused. It needs root, CAP_SYS_NICE (of a container: "
                          "--cap-add=SYS_NICE), or ulimit -r 61."])

    def test_says_which_program_is_missing(self):
        if real_time.refused():
            self.skipTest("SCHED_FIFO is refused here")
        context = Context(build="/nowhere", minsize="", peers="")
        real_time.measure(context)
        self.assertIn("bench_realtime_server has not been built", shown(context.results))


if __name__ == "__main__":
    unittest.main()
