#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What ./dev test --changed chooses, for a small tree whose objects are copies of their sources."""
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import changed  # noqa: E402

# low.a of low.cpp, which includes low.h; low_test, high_test and a program `tool` link it; far_test does not.
NINJA = """rule compile
  command = cp $in $out && echo '$out: $in $headers' >${out}.d
  depfile = ${out}.d
  deps = gcc
rule link
  command = cat $in >$out
build low/CMakeFiles/low.dir/low.o: compile ROOT/low/low.cpp
  headers = ROOT/low/low.h
build low.a: link low/CMakeFiles/low.dir/low.o
build low/CMakeFiles/header_alone_low.dir/__/header_alone/low_low_h.cpp.o: compile ROOT/low/low.h
"""
PROGRAMS = {"low_test": ("low", "| low.a"), "high_test": ("high", "| low.a"), "tool": ("tools", "| low.a"), "far_test": ("far", "|| low.a")}
TESTS = {"together.low": ("low_test", "unit"), "together.high.1": ("high_test", "unit"), "together.high.2": ("high_test", "unit"),
         "together.far": ("far_test", "unit"), "interop.tool": ("/usr/bin/python3 ROOT/scripts/run.py BUILD/tool", "interop"),
         "interop.folder": ("/usr/bin/python3 ROOT/scripts/more/run.py BUILD", "interop"),
         "house.words": ("/usr/bin/python3 ROOT/house/words.py", "house")}


class Changed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.build = self.root / "build"
        self.build.mkdir()
        text = NINJA
        for name, (place, needs) in PROGRAMS.items():
            text += f"build {place}/CMakeFiles/{name}.dir/{name}.o: compile ROOT/{place}/{name}.cpp\n"
            text += f"build {name}: link {place}/CMakeFiles/{name}.dir/{name}.o {needs}\n"
            self.write(f"{place}/{name}.cpp")
        for file in ("low/low.cpp", "low/low.h"):
            self.write(file)
        text += "build all: phony " + " ".join(PROGRAMS) + "\ndefault all\n"
        (self.build / "build.ninja").write_text(text.replace("ROOT", str(self.root)))
        tests = ""
        for name, (command, label) in TESTS.items():
            words = command.replace("ROOT", str(self.root)).replace("BUILD", str(self.build)).split()
            if not words[0].startswith("/"):
                words[0] = f"{self.build}/{words[0]}"
            tests += f"add_test({name} {' '.join(words)})\nset_tests_properties({name} PROPERTIES LABELS {label})\n"
        (self.build / "CTestTestfile.cmake").write_text(tests)
        done = subprocess.run(["ninja", "-C", self.build], stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def write(self, file, text="text"):
        path = self.root / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def choice(self, *files, seconds=1000.0):
        return changed.Choice(self.root, self.build, list(files), seconds, list(changed.tests_of(self.build, [])))

    def test_a_source_of_a_library_concerns_all_programs_that_link_it(self):
        choice = self.choice("low/low.cpp")
        self.assertEqual(sorted(choice.targets), ["high_test", "low_test"])
        self.assertEqual(sorted(choice.run), ["together.high.1", "together.high.2", "together.low"])

    def test_so_does_a_header_which_is_also_compiled_alone(self):
        source, header = self.choice("low/low.cpp"), self.choice("low/low.h")
        self.assertEqual(source.run, header.run)
        self.assertEqual(sorted(set(header.targets) - set(source.targets)), ["low/CMakeFiles/header_alone_low.dir/__/header_alone/low_low_h.cpp.o"])

    def test_a_script_that_is_told_of_an_affected_program_or_its_folder_is_named_as_not_run(self):
        choice = self.choice("low/low.cpp")
        self.assertEqual(sorted(name for name, _ in choice.left), ["interop.folder", "interop.tool"])
        self.assertEqual(changed.grouped(choice.left), "interop (2)")

    def test_the_nearest_are_chosen_when_the_time_is_not_enough_for_all(self):
        choice = self.choice("low/low.cpp", seconds=0)
        self.assertEqual(choice.run, ["together.low"])
        self.assertIn(("together.high.1", ["high"]), choice.left)

    def test_a_source_of_a_test_concerns_that_test(self):
        choice = self.choice("high/high_test.cpp")
        self.assertEqual(choice.targets, ["high_test"])
        self.assertEqual(sorted(choice.run), ["together.high.1", "together.high.2"])

    def test_what_is_only_built_before_does_not_concern(self):
        self.assertNotIn("together.far", self.choice("low/low.cpp").run)

    def test_a_script_concerns_its_own_tests(self):
        choice = self.choice("house/words.py")
        self.assertEqual((choice.targets, choice.run), ([], ["house.words"]))

    def test_the_rules_of_a_folder_concern_what_it_makes_and_all_above(self):
        self.assertEqual(self.choice("low/CMakeLists.txt").run, self.choice("low/low.cpp").run)

    def test_a_source_that_ninja_does_not_know_is_named(self):
        self.assertEqual(self.choice("low/new.cpp").unknown, ["low/new.cpp"])
        self.assertEqual(self.choice("low/low.cpp", "low/low.md").unknown, [])

    def test_nearness_counts_the_names_in_common(self):
        for folder, files, near in (("a/b", ["a/b/c.cpp"], 2), ("a/b", ["a/c/d.cpp"], 1), ("a", ["b/a.cpp"], 0),
                                    ("a", ["b/a.cpp", "a/b.cpp"], 1), ("a/b/c", ["a/b/d.cpp"], 2)):
            self.assertEqual(changed.nearness(folder, files), near, (folder, files))

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a", *words], cwd=self.root, stdout=subprocess.DEVNULL, check=True)

    def test_changed_is_what_is_not_committed_or_the_last_commit_or_all_since_one(self):
        self.git("init", "-q")
        self.write(".gitignore", "build\n")
        self.git("add", ".")
        self.git("commit", "-qm", "first")
        self.write("low/low.h", "other")
        self.git("commit", "-qam", "second")
        self.assertEqual(changed.changed_files(self.root, None), (["low/low.h"], "HEAD~1"))
        self.write("far/new.cpp")
        self.assertEqual(changed.changed_files(self.root, None), (["far/new.cpp"], "HEAD"))
        self.assertEqual(changed.changed_files(self.root, "HEAD~1"), (["far/new.cpp", "low/low.h"], "HEAD~1"))

    def test_it_says_what_is_run_and_what_is_not(self):
        said, told = io.StringIO(), io.StringIO()
        with unittest.mock.patch("changed.changed_files", lambda *_: (["low/low.cpp"], "HEAD")), \
                unittest.mock.patch("changed.ROOT", self.root), \
                contextlib.redirect_stdout(told), contextlib.redirect_stderr(said):
            self.assertEqual(changed.main([str(self.build), "--seconds", "0"]), 0)
        self.assertEqual(told.getvalue(), "low_test\n^(together\\.low)$\n")
        self.assertIn("run: together.low\n", said.getvalue())
        self.assertIn("not run, though it may be affected: high (2), interop (2)", said.getvalue())

    def test_what_everything_hangs_on_is_left_to_a_whole_run(self):
        said = io.StringIO()
        with unittest.mock.patch("changed.changed_files", lambda *_: (["cmake/a.cmake"], "HEAD")), contextlib.redirect_stderr(said):
            self.assertEqual(changed.main([str(self.build)]), 3)
        self.assertIn("everything may be affected", said.getvalue())


if __name__ == "__main__":
    unittest.main()
