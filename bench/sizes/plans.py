# SPDX-License-Identifier: Apache-2.0
"""Bytes of heap that the plans of operations take with interpreted stubs, where plans are built at run time.

bench_caller_plans makes the first call of an operation to a server of its own. It asks malloc, before and after the ORB builds
the plans, how much of the heap is in use. Plans that are in read-only data are not built, and sections count them.

Should plans come onto the heap by another way, that would be flattery: so first calls of all operations with interpreted stubs
may keep no more than those with compiled ones, and the plans. Both keep the same values; buffers differ a little (SLACK).
"""
from interfaces import OPERATIONS
from processes import Caller, Failure

# Every byte that is freed is free: nothing stays in a thread's cache.
EXACT = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
SLACK = 16_384
CALLS = 3


def built(answer):
    """{operation: bytes} of a caller's answer."""
    head, *words = answer.split()
    if head != "plans":
        raise Failure(f"not plans: {answer}")
    return {name: int(count) for name, count in (word.split("=") for word in words)}


def of_operation(build, operation):
    """The heap of an operation's plans, built in a process that has no others."""
    with Caller(build, "plans", environment=EXACT) as caller:
        caller.calls(operation, 1)
        return built(caller.ask("plans")).get(operation, 0)


def growth(build, style):
    """By how much first calls of all operations make the heap grow."""
    with Caller(build, style, environment=EXACT) as caller:
        return sum(float(caller.ask(f"heap {operation} {CALLS}")) for operation in OPERATIONS)


def of_all(build):
    """The heap of the plans of all operations in one process. Throws Failure, also when there is more than plans explain."""
    with Caller(build, "plans", environment=EXACT) as caller:
        for operation in OPERATIONS:
            caller.calls(operation, 1)
        plans = sum(built(caller.ask("plans")).values())
    more = growth(build, "interpreted") - growth(build, "compiled")
    if more > plans + SLACK:
        raise Failure(f"first calls keep {more:,.0f} bytes more than with compiled stubs, plans only {plans:,}")
    return plans
