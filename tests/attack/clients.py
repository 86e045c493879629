# SPDX-License-Identifier: Apache-2.0
"""Attacks on clients: each call is made by a client in a process of its own."""
from attack.attack import NotHeld
from attack.hostile import HostileServer
from attack.report import Result
from attack.usage import Usage
from attack.victim import SANITIZER, START_SECONDS, wait_until
from harness.process import Failure


def attack_client(setting, kind):
    result = Result(kind, setting.preset, "client")
    attack = kind(setting.short)
    try:
        with HostileServer(attack) as hostile:
            for _ in range(attack.calls):
                _one_call(setting, attack, hostile, result)
    except (NotHeld, Failure) as failure:
        result.complain(str(failure))
    result.judge(setting.short)
    return result


def _one_call(setting, attack, hostile, result):
    command = [setting.programs / "attack_client", "call", attack.operation, attack.references(hostile), *attack.options]
    if attack.stack_kib:
        command = ["/bin/sh", "-c", f'ulimit -s {attack.stack_kib}; exec "$@"', "sh", *command]
    client = setting.processes.start("client", command, SANITIZER)
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
