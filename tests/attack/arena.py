# SPDX-License-Identifier: Apache-2.0
"""One attack from beginning to end."""
import json
import os
import pathlib
import select
import signal
import sys
import tempfile
import time
import traceback

from attack.attack import NotHeld
from attack.hostile import HostileServer
from attack.peer import NoAnswer
from attack.report import Result
from attack.usage import Usage
from attack.victim import SANITIZER, START_SECONDS, Floor, GoodClient, Victim, attacker_only, wait_until
from harness.process import Failure, Processes

BUILD_UP_SECONDS = 120
# Runs what follows; its status, seconds of CPU and KiB at most are the last line.
_COMPILE = ("import resource, subprocess, sys; status = subprocess.call(sys.argv[1:]); sys.stdout.flush(); "
            "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
            "print('\\n%d %f %d' % (status, used.ru_utime + used.ru_stime, used.ru_maxrss))")


class Attacker:
    """The attack, in a process of its own. Its connections end with it."""

    def __init__(self, kind, target, short):
        inner_words, outer_words = os.pipe()
        inner_stop, outer_stop = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            os.close(inner_words)
            os.close(outer_stop)
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
            try:
                attacker_only()
                _attack(kind(target, short), outer_words, inner_stop)
            finally:
                os._exit(0)
        os.close(outer_words)
        os.close(inner_stop)
        self._words, self._stop = inner_words, outer_stop
        self._buffer = b""

    def wait_under_way(self):
        """False when it is over already."""
        return self._line(BUILD_UP_SECONDS).get("under way", False)

    def over(self):
        return b"\n" in self._buffer or bool(select.select([self._words], [], [], 0)[0])

    def stop(self):
        """What came of it: {"not held": text or "", "seen": {}, "laps": n}."""
        os.close(self._stop)
        came_to = self._line(BUILD_UP_SECONDS)
        self.kill()
        return came_to

    def kill(self):
        if self._child:
            try:
                os.kill(self._child, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.waitpid(self._child, 0)
            self._child = 0
            os.close(self._words)

    def _line(self, seconds):
        deadline = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._words], [], [], left)[0]:
                return {"not held": f"the attack itself did not go on within {seconds} s", "seen": {}, "laps": 0}
            data = os.read(self._words, 65536)
            if not data:
                return {"not held": "the attacker ended early", "seen": {}, "laps": 0}
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        said = json.loads(line)
        if "not held" in said and said["laps"] == 0:
            self._buffer = line + b"\n" + self._buffer  # said instead of "under way": stop() reads it again
        return said


def _attack(attack, words, stop):
    laps, not_held = 0, ""
    try:
        attack.prepare()
        while laps == 0 or not select.select([stop], [], [], 0)[0]:
            attack.lap()
            laps += 1
            if laps == 1:
                os.write(words, b'{"under way": true}\n')
        attack.finish()
    except (NotHeld, NoAnswer) as failure:
        not_held = str(failure)
    except Exception as error:  # pylint: disable=broad-except
        not_held = f"{type(error).__name__}: {error} in {traceback.format_exc(limit=-1).splitlines()[1].strip()}"
    os.write(words, json.dumps({"not held": not_held, "seen": attack.seen, "laps": laps}).encode() + b"\n")


class Arena:
    """Runs attacks, one after the other. As a context: everything that was started ends with it."""

    def __init__(self, programs, preset, model, short):
        self._programs, self._preset, self._model, self._short = programs, preset, model, short
        self._calls, self._rounds = (200, 3) if short else (1000, 5)
        if preset in ("asan", "tsan"):
            self._calls //= 2
        self._processes = Processes()
        self._floor = None
        self._victim, self._good, self._needs = None, None, None

    def __enter__(self):
        self._floor = Floor(self._processes, self._programs)
        return self

    def __exit__(self, *_):
        self._processes.__exit__()

    def against_server(self, kind):
        result = Result(kind, self._preset, self._model)
        try:
            self._prepare_victim(kind)
            self._run(kind, result)
            result.complain(self._victim.complaint())
        except Failure as failure:
            result.complain(str(failure))
            if self._victim:
                result.complain(self._victim.complaint())
        result.judge(self._short)
        if not self._short or result.complaints:  # what one attack has spoilt is not the next one's fault
            self.end_victim(result)
        return result

    def _prepare_victim(self, kind):
        """In the short form attacks share a victim where they need the same one."""
        needs = (kind.options, kind.stack_kib, kind.descriptors)
        if self._victim and self._needs != needs:
            self.end_victim(None)
        if not self._victim:
            self._victim = Victim(self._processes, self._programs, self._preset, self._model, kind)
            self._needs = needs
            self._good = GoodClient(self._processes, self._programs, self._victim, self._floor)
            self._good.round(self._calls)  # warms everything up

    def end_victim(self, result):
        """result: who is told what was wrong at the end."""
        if not self._victim:
            return
        try:
            if self._good.process.running():
                self._good.end()
        except Failure:
            self._good.process.kill()
        wrong = self._victim.end()
        if result and wrong:
            result.complain(f"at its end: {wrong}")
        self._good.process.kill()
        self._victim.process.kill()
        self._victim = self._good = None

    def _run(self, kind, result):
        usage = self._victim.usage
        alone = [self._round(result) for _ in range(self._rounds)]
        usage.forget_peak()
        result.baseline_mb = usage.resident_mb()
        attacker = Attacker(kind, self._victim.target, self._short)
        try:
            begin = time.monotonic()
            under = []
            seconds = 0.3 if self._short else kind.seconds
            if attacker.wait_under_way():
                while len(under) < self._rounds or time.monotonic() - begin < seconds:
                    if attacker.over():
                        break
                    under.append(self._round(result, kind.new_clients))
                    if len(under) >= 200:
                        break
            result.take(attacker.stop())
        finally:
            attacker.kill()
        self._look_afterwards(kind, result)
        alone += [self._round(result) for _ in range(self._rounds)]
        result.measured(alone, under)
        result.peak_mb = usage.peak_mb()

    def _look_afterwards(self, kind, result):
        """Memory when a second has passed, then what the processor does over one more. The short form goes on as soon as
        memory is back and a fifth of a second was quiet."""
        usage = self._victim.usage
        if not self._short:
            wait_until(lambda: False, kind.settle_seconds)
            result.after_mb = usage.resident_mb()
            result.ticks_after = usage.ticks_over(1.0)
            return
        wait_until(lambda: usage.resident_mb() <= result.baseline_mb + 5, kind.settle_seconds)
        result.after_mb = usage.resident_mb()
        for _ in range(10):
            result.ticks_after = usage.ticks_over(0.2)
            if result.ticks_after == 0:
                return

    def _round(self, result, new_clients=True):
        measured = self._good.round(self._calls)
        result.count(measured, new_clients)
        return measured

    def against_client(self, kind):
        result = Result(kind, self._preset, "client")
        attack = kind(self._short)
        try:
            with HostileServer(attack) as hostile:
                for _ in range(attack.calls):
                    self._one_call(attack, hostile, result)
        except (NotHeld, Failure) as failure:
            result.complain(str(failure))
        result.judge(self._short)
        return result

    def against_compiler(self, kind):
        result = Result(kind, self._preset, "compiler")
        attack = kind()
        with tempfile.TemporaryDirectory(prefix="attack.") as folder:
            file = pathlib.Path(folder) / "nasty.idl"
            file.write_text("".join(attack.text()), encoding="latin-1")
            compiler = self._processes.start("compiler", [sys.executable, "-c", _COMPILE, self._programs / "callis-idl",
                                                          "-o", folder, *attack.options, file], SANITIZER)
            try:
                compiler.finish(60)
            except Failure:
                result.complain("has not ended after a minute")
                compiler.kill()
                return result
        status, seconds, kilobytes = (float(word) for word in compiler.output[-1].split())
        result.peak_mb = kilobytes / 1000 * 1.024
        result.seen[f"{seconds:.1f} s CPU, status {status:.0f}, {len(compiler.output) - 1} lines"] = 1
        # A sanitizer makes everything some ten times slower.
        if seconds > attack.most_seconds * (10 if self._preset == "asan" else 1):
            result.complain(f"took {seconds:.1f} s of CPU")
        if status < 0 or status > 2 or any("Sanitizer" in line or "bad_alloc" in line for line in compiler.output):
            result.complain(f"ended with status {status:.0f}: {' | '.join(compiler.output[:2])}")
        result.judge(self._short)
        return result

    def _one_call(self, attack, hostile, result):
        command = [self._programs / "attack_client", "call", attack.operation, attack.references(hostile),
                   *attack.options]
        if attack.stack_kib:
            command = ["/bin/sh", "-c", f'ulimit -s {attack.stack_kib}; exec "$@"', "sh", *command]
        client = self._processes.start("client", command, SANITIZER)
        usage = Usage(client.pid)

        def ended():
            try:
                result.peak_mb = max(result.peak_mb, usage.peak_mb())
            except OSError:
                pass
            return not client.running()

        if not wait_until(ended, attack.most_seconds + 10, 0.02):
            client.kill()
            raise NotHeld(f"the client has not ended {attack.most_seconds + 10:.0f} s after it began")
        status = client.finish(START_SECONDS)
        said = next((line for line in client.output if line.split(" ", 1)[0].isdigit()), "")
        if status != 0 or not said:
            raise NotHeld(f"the client ended with status {status}: {' | '.join(client.output[-3:])}")
        milliseconds, words = said.split(" ", 1)
        result.seen[f"{words} in {milliseconds} ms"] = 1
        if int(milliseconds) > attack.most_seconds * 1000:
            result.complain(f"took {milliseconds} ms")
        if not words.startswith(tuple(attack.expected)):
            result.complain(f"the client says {words}, not {' or '.join(attack.expected)}")
        attack.judge(words, hostile)
