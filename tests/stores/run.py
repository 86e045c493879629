#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every service's store through the same table of damage: what is not right is refused with status 1, in words, and no
byte of it is changed.

    run.py --programs FOLDER [CASE...]

Each program first makes a store. The store is then written anew as a callis before checksums has written it (version 1),
with some 60 pages more, and the program opens that once: it migrates it. A case spoils a copy of the result and starts the
program. No page of it is free, so no damage of the file is harmless.
"""
import argparse
import copy
import os
import random
import resource
import select
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time

PROGRAMS = {"naming": [], "trading": [], "properties": [], "logging": [], "ifr": ["serve"], "imr": ["serve"]}
PAGE = 4096
DEADLINE = 20


class Failure(Exception):
    """The text says which promise was broken."""


class Program:
    """A service over a store."""

    def __init__(self, folder, name, store, file_bytes=None):
        def limit():
            if file_bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [os.path.join(folder, "callis-" + name), *PROGRAMS[name], "--store", store, "-ORBEndpoint", "tcp:127.0.0.1:0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, umask=0,
            preexec_fn=limit)

    def serves(self):
        """Whether it says its reference; False: it has ended before."""
        end, line = time.monotonic() + DEADLINE, b""
        while not line.endswith(b"\n"):
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise Failure("it neither serves nor ends")
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                return False
            line += more
        return True

    def end(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure("it does not end")

    def words(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")


def contents(folder):
    """All that there is in a folder: kinds, bytes and targets."""
    out = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        mode = os.lstat(path).st_mode
        out[name] = (stat.S_IFMT(mode), open(path, "rb").read() if stat.S_ISREG(mode) else
                     os.readlink(path) if stat.S_ISLNK(mode) else None)
    return out


def age(path, rows=()):
    """Makes of a store what an older program has written: version 1, without checksums; larger, and open to all."""
    with sqlite3.connect(path) as new:
        application = new.execute("PRAGMA application_id").fetchone()[0]
        lines = list(new.iterdump())
    new.close()
    os.unlink(path)
    old = sqlite3.connect(path)
    old.executescript("\n".join(lines))
    old.execute("DROP TABLE IF EXISTS stem")  # of callis ifr, since version 2
    for row in rows:
        old.execute(row)
    old.execute("CREATE TABLE IF NOT EXISTS more(number INTEGER PRIMARY KEY, text TEXT)")
    old.executemany("INSERT OR IGNORE INTO more VALUES(?, ?)", ((i, "text %d" % i * 20) for i in range(1200)))
    old.execute("PRAGMA application_id=%d" % application)
    old.execute("PRAGMA user_version=1")
    old.commit()
    old.close()
    os.chmod(path, 0o644)


class Subject:
    """A program, its good store, and a folder for each case."""

    def __init__(self, programs, name, folder):
        self.programs, self.name, self.folder = programs, name, folder
        first = os.path.join(folder, "good")
        os.mkdir(first)
        self.good = os.path.join(first, "store.db")
        self.run_once(self.good)
        age(self.good)
        before = self.dump()
        self.run_once(self.good)
        if changed := set(self.dump()) ^ set(before):
            raise Failure("a store of version 1 has other contents after its migration: " + str(sorted(changed))[:500])
        database = sqlite3.connect("file:" + self.good + "?immutable=1", uri=True)
        version = database.execute("PRAGMA user_version").fetchone()[0]
        free = database.execute("PRAGMA freelist_count").fetchone()[0]
        database.close()
        if version < 2 or free != 0:
            raise Failure("after the migration the version is %d, %d pages are free" % (version, free))
        self.bytes = open(self.good, "rb").read()
        if self.bytes[20] != 8:
            raise Failure("the pages have no room for checksums")

    def dump(self):
        """All but rows that every start writes, and tables that are new."""
        database = sqlite3.connect("file:" + self.good + "?immutable=1", uri=True)
        new = ('INSERT INTO "store"', "CREATE TABLE stem(")
        lines = [line for line in database.iterdump() if not line.startswith(new) and "612F6F776E6572" not in line]
        database.close()
        return lines

    def run_once(self, path):
        program = Program(self.programs, self.name, path)
        try:
            if not program.serves():
                raise Failure("a good store is refused: " + program.words())
        finally:
            status = program.end()
        if status != 0:
            raise Failure("status %s after SIGTERM" % status)

    def place(self):
        return os.path.join(tempfile.mkdtemp(dir=self.folder), "store.db")

    def put(self, data):
        path = self.place()
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, 0o600)
        return path

    def is_refused(self, path, what, status=1):
        folder = os.path.dirname(path) if path else self.folder
        before = contents(folder) if path else None
        program = Program(self.programs, self.name, path)
        try:
            served = program.serves()
        finally:
            ended = program.end()
        if served:
            raise Failure(what + " is served")
        if ended != status:
            raise Failure("%s: status %s instead of %d: %s" % (what, ended, status, program.words()))
        if ("callis %s" % self.name) not in program.words():
            raise Failure(what + " is refused without words")
        if path and contents(folder) != before:
            after = contents(folder)
            changed = [name for name in set(before) | set(after) if before.get(name) != after.get(name)]
            raise Failure("%s is refused, but these have changed: %s" % (what, ", ".join(changed)))
        return program.words()


def head_is_gone(subject):
    path = subject.place()
    open(path + "-wal", "wb").write(subject.bytes)
    subject.is_refused(path, "a log without its file")


def head_is_empty(subject):
    path = subject.put(b"")
    open(path + "-wal", "wb").write(subject.bytes)
    subject.is_refused(path, "an empty file with a log")


def journal_without_file(subject):
    path = subject.place()
    open(path + "-journal", "wb").write(bytes.fromhex("d9d505f920a163d7") + b"\0\0\0\1" * 4 + bytes(600))
    subject.is_refused(path, "a journal without its file")


def text_file(subject):
    for text in (b"x", b"precious text, no database\n" * 50):
        path = subject.put(text)
        subject.is_refused(path, "a text")
        link = path + ".link"
        os.symlink(path, link)
        subject.is_refused(link, "a symbolic link to a text")


def foreign_database(subject):
    path = subject.place()
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE t(a)")
    database.execute("INSERT INTO t VALUES(7)")
    database.commit()
    database.close()
    subject.is_refused(path, "another program's database")
    # Its journal would be rolled back, its log be taken in.
    for part in ("-journal", "-wal"):
        with open(path + part, "wb") as file:
            file.write(bytes.fromhex("d9d505f920a163d7") + b"\0\0\0\1" * 4 + bytes(600))
        subject.is_refused(path, "another program's database with its " + part)
        os.unlink(path + part)


def newer_version(subject):
    data = bytearray(subject.bytes)
    data[60:64] = b"\0\0\0\x63"
    if "newer" not in subject.is_refused(subject.put(data), "a store of version 99"):
        raise Failure("a store of version 99 is not said to be a newer one's")


def other_service(subject):
    """A store of another service, of today and of version 1."""
    other = copy.copy(subject)
    names = list(PROGRAMS)
    other.name = names[names.index(subject.name) - 1]
    path = subject.put(subject.bytes)
    other.is_refused(path, "a store of callis " + subject.name)
    age(path)
    other.is_refused(path, "a store of callis %s of version 1" % subject.name)


def second_program(subject):
    path = subject.put(subject.bytes)
    folder = os.path.dirname(path)
    os.symlink(path, os.path.join(folder, "soft"))
    os.link(path, os.path.join(folder, "hard"))
    first = Program(subject.programs, subject.name, path)
    try:
        if not first.serves():
            raise Failure("a good store is refused: " + first.words())
        for name in ("store.db", "soft", "hard"):
            if "another process" not in subject.is_refused(os.path.join(folder, name), "a store that is in use, by " + name):
                raise Failure("a second program does not hear of the first")
    finally:
        if first.end() != 0:
            raise Failure("the first program has ended otherwise")


def odd_files(subject):
    path = subject.place()
    os.mkfifo(path)
    subject.is_refused(path, "a FIFO")
    path = subject.place()
    os.mkdir(path)
    subject.is_refused(path, "a folder")
    path = subject.place()
    os.symlink("nowhere", path)
    subject.is_refused(path, "a symbolic link to nowhere")
    path = subject.place()
    os.symlink("store.db", path)
    subject.is_refused(path, "a symbolic link to itself")
    for part in ("-wal", "-journal"):
        path = subject.put(subject.bytes)
        os.mkfifo(path + part)
        subject.is_refused(path, "a FIFO as the file's " + part)
    for device in ("/dev/null", "/dev/zero"):
        program = Program(subject.programs, subject.name, device)
        if program.serves() or program.end() != 1:
            raise Failure(device + " is not refused")


def no_name(subject):
    subject.is_refused("", "an empty name", 2)
    program = subprocess.run([os.path.join(subject.programs, "callis-" + subject.name), *PROGRAMS[subject.name], "--store="],
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE, check=False)
    if program.returncode != 2:
        raise Failure("--store= has status %d" % program.returncode)


def cut_file(subject):
    size = len(subject.bytes)
    for at in (1, 50, 99, 100, 4095, 4096, size // 2, size // PAGE // 2 * PAGE, size - PAGE, size - 9, size - 1):
        subject.is_refused(subject.put(subject.bytes[:at]), "a file cut at %d" % at)


def zeroed_page(subject):
    for page in range(0, len(subject.bytes) // PAGE, 7):
        data = bytearray(subject.bytes)
        data[page * PAGE:(page + 1) * PAGE] = bytes(PAGE)
        subject.is_refused(subject.put(data), "page %d of zeros" % (page + 1))


def strange_page(subject):
    """Another page's bytes, whose checksum is right there."""
    data = bytearray(subject.bytes)
    data[5 * PAGE:6 * PAGE] = data[6 * PAGE:7 * PAGE]
    subject.is_refused(subject.put(data), "page 6 with the bytes of page 7")


def flipped_bits(subject):
    source = random.Random(44)
    for at in [20, 24, 40, 64, 100] + [source.randrange(len(subject.bytes)) for _ in range(12)]:
        data = bytearray(subject.bytes)
        data[at] ^= 1 << source.randrange(8)
        subject.is_refused(subject.put(data), "a file with a bit flipped at %d" % at)


def unreadable_value(subject):
    """The pages are right, a trader's offer is not: that is found when all is read, and nothing has been written then."""
    if subject.name != "trading":
        return
    path = subject.put(subject.bytes)
    age(path, ["INSERT INTO pair VALUES(CAST('o/0000000000000001' AS BLOB), x'00', 1)"])
    if Program(subject.programs, subject.name, path).serves():  # it gives the file checksums
        raise Failure("an offer that cannot be read is served")
    subject.is_refused(path, "an offer that cannot be read")


def modes(subject):
    """Of what the program makes, with umask 0, and of what an older one has made."""
    for path in (subject.place(), subject.put(subject.bytes)):
        if os.path.exists(path):
            os.chmod(path, 0o666)
        program = Program(subject.programs, subject.name, path)
        try:
            if not program.serves():
                raise Failure("a good store is refused: " + program.words())
            folder = os.path.dirname(path)
            for name in os.listdir(folder):
                if os.stat(os.path.join(folder, name)).st_mode & 0o077:
                    raise Failure("others may read " + name)
        finally:
            program.end()
    if os.geteuid() == 0:
        path = subject.put(subject.bytes)
        os.chmod(path, 0o644)
        os.chown(path, 65534, 65534)
        if "belongs to user" not in subject.is_refused(path, "another user's file that all may read"):
            raise Failure("another user's file is refused in other words")


def no_room(subject):
    """A file may not grow (ulimit -f): the program ends with words, not by SIGXFSZ."""
    program = Program(subject.programs, subject.name, subject.place(), file_bytes=2048)
    if program.serves():
        raise Failure("a store is made in a file of 2048 bytes")
    status = program.end()
    if status != 1 or "make room on the disk" not in program.words():
        raise Failure("status %s: %s" % (status, program.words()))


CASES = [head_is_gone, head_is_empty, journal_without_file, text_file, foreign_database, newer_version, other_service, second_program,
         odd_files, no_name, cut_file, zeroed_page, strange_page, flipped_bits, unreadable_value, no_room, modes]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--service", choices=PROGRAMS, action="append")
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    failed = 0
    print("%-22s %s" % ("", "  ".join("%-10s" % name for name in arguments.service or PROGRAMS)))
    folder = tempfile.mkdtemp(prefix="callis-stores-")
    try:
        subjects, faults = {}, []
        for name in arguments.service or PROGRAMS:
            os.mkdir(os.path.join(folder, name))
            subjects[name] = Subject(arguments.programs, name, os.path.join(folder, name))
        for case in CASES:
            if arguments.cases and case.__name__ not in arguments.cases:
                continue
            cells = []
            for name, subject in subjects.items():
                try:
                    case(subject)
                    cells.append("held")
                except Failure as failure:
                    cells.append("FAILED")
                    faults.append("%s, %s: %s" % (name, case.__name__, failure))
            print("%-22s %s" % (case.__name__, "  ".join("%-10s" % cell for cell in cells)), flush=True)
        failed = len(faults)
        for fault in faults:
            print(fault)
    finally:
        shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
