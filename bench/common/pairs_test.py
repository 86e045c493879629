# SPDX-License-Identifier: Apache-2.0
"""Pairs of processes, with scripts for server and client: what they print, and what is said of those that fail."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from pairs import Failed, Pair, add, here, present  # noqa: E402
from processes import Failure  # noqa: E402
from suite import Context  # noqa: E402

READY = 'echo here > "$3"\necho ready\nsleep 60\n'
PRINTS = 'cat "$3" >/dev/null\necho not a result\necho \'{"case": "octet/1K", "metric": "gbit_s", "value": 2.5}\'\n'


class WithScripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.context = Context(build=os.path.join(folder.name, "build"), minsize="", peers=folder.name)

    def system(self, name, **programs):
        """Makes server and client of a peer, shell scripts called with SUITE --reference FILE [options]."""
        os.mkdir(os.path.join(self.context.peers, name))
        for side, text in programs.items():
            path = os.path.join(self.context.peers, name, side)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text if side == "missing" else "#!/bin/sh\n" + text)
            os.chmod(path, 0o755)


class Clients(WithScripts):
    def test_give_cases_and_metrics(self):
        self.system("raw", server=READY, client=PRINTS)
        with Pair(self.context, "raw", "ttcp") as pair:
            self.assertEqual(pair.run(), {("octet/1K", "gbit_s"): 2.5})

    def test_see_the_environment_and_run_where_they_are_pinned(self):
        checks = '[ "$WORD" = word ] && [ "$(nproc)" = 1 ] && [ "$4$5" = --calls7 ] || exit 3\n'
        self.system("raw", server=READY, client=checks + PRINTS)
        cpu = min(os.sched_getaffinity(0))
        with Pair(self.context, "raw", "ttcp", (cpu, cpu), {"WORD": "word"}) as pair:
            self.assertEqual(len(pair.run("--calls", 7)), 1)

    def test_that_fail_are_quoted(self):
        self.system("raw", server=READY, client="echo first >&2\necho wrong value >&2\nexit 3\n")
        with Pair(self.context, "raw", "ttcp") as pair, self.assertRaisesRegex(Failure, "status 3: wrong value"):
            pair.run()

    def test_that_hang_are_ended(self):
        self.system("raw", server=READY, client="sleep 60\n")
        with Pair(self.context, "raw", "ttcp") as pair, self.assertRaisesRegex(Failure, "did not end within"):
            pair.run(seconds=0.2)

    def test_without_results_are_failures(self):
        self.system("raw", server=READY, client="exit 0\n")
        with Pair(self.context, "raw", "ttcp") as pair, self.assertRaisesRegex(Failure, "no result"):
            pair.run()


class Servers(WithScripts):
    def test_that_end_early_are_quoted(self):
        self.system("raw", server="echo no port >&2\nexit 1\n", client=PRINTS)
        with self.assertRaisesRegex(Failure, "before it was ready: no port"), Pair(self.context, "raw", "ttcp"):
            pass

    def test_that_never_get_ready_are_ended(self):
        self.system("raw", server="sleep 60\n", client=PRINTS)
        with self.assertRaisesRegex(Failure, "hung"), Pair(self.context, "raw", "ttcp", start_seconds=0.2):
            pass


class Missing(WithScripts):
    def test_systems_are_reported_with_the_reason(self):
        self.system("raw", server=READY, client=PRINTS)
        self.system("ice", missing="no package of that name\n")
        found = present(self.context, "ttcp", ("raw", "ice", "grpc", "callis-dii"))
        self.assertEqual(found, ["raw"])
        self.assertEqual(self.context.results.absent, {
            ("ttcp", "ice"): "no package of that name", ("ttcp", "grpc"): "its programs have not been built",
            ("ttcp", "callis-dii"): "its programs have not been built"})

    def test_systems_that_nobody_asked_for_are_not(self):
        self.context.only_systems = ("raw",)
        self.assertEqual(present(self.context, "ttcp", ("ice",)), [])
        self.assertEqual(here(self.context, ("ice",)), [])
        self.assertEqual(self.context.results.absent, {})

    def test_failures_are_noted_by_what_failed(self):
        failed = Failed(self.context, "ttcp")
        for what in ("one-cpu", "two-cpu"):
            with failed.noted("raw", what):
                raise Failure("it hung")
        self.assertTrue(failed.has("raw", "one-cpu"))
        self.assertFalse(failed.has("raw", "free"))
        self.assertEqual(self.context.results.absent["ttcp", "raw"], "one-cpu: it hung; two-cpu: it hung")


class Adding(WithScripts):
    def test_puts_the_place_before_a_case_and_the_rest_behind(self):
        add(self.context, "ttcp", "raw", "two-cpu", 3, {("octet/1K", "gbit_s"): 2.5}, "/queue8K")
        self.assertEqual(self.context.results.values, {("ttcp", "raw", "two-cpu/octet/1K/queue8K", "gbit_s"): {3: 2.5}})


if __name__ == "__main__":
    unittest.main()
