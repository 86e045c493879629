# SPDX-License-Identifier: Apache-2.0
"""What requests without arguments do not show of SECURITY.md's table: a rebind of a name that is bound, the options beside --allow,
and the calls that `callis imr` leads to its servers."""
import os

import giop
from giop import cdr
from objects import Service, reach

NAME = (1, "a", "")


def of_naming(context):
    """Arguments of operations. context: a reference."""
    with_context = cdr(*NAME, *giop.reference(context))
    return {"bind": cdr(*NAME, *giop.NIL), "rebind": cdr(*NAME, *giop.NIL), "bind_context": with_context, "rebind_context": with_context,
            "bind_new_context": cdr(*NAME), "unbind": cdr(*NAME), "new_context": b"", "destroy": b"", "orphans": cdr(1),
            "remove_orphans": cdr(("Q", 1 << 40), ("B", 0)), "resolve": cdr(*NAME), "list": cdr(1)}


def refusal(status, what):
    """"rules", "service", or "" where it is none."""
    if status != giop.SYSTEM_EXCEPTION or "NO_PERMISSION:1.0" not in what:
        return ""
    return "rules" if "by the rules" in what else "service"


def rebind(programs, row, folder):
    """Of a free name it is write; of one that is bound admin, and changes nothing where it is refused."""
    twice = {operation for operation in row.named("admin") if "write" in row.groups(operation)}
    if twice != {"rebind", "rebind_context"}:
        yield f"SECURITY.md: `callis naming`: {twice} are in two columns"
    for operation in sorted(twice):
        with Service(programs, "naming", folder) as service:
            for caller, state, expected in (("tcp", "free", ""), ("tcp", "bound", "rules"), ("own", "bound", "")):
                status, what = service.links[caller].ask(service.key, operation, of_naming(service.reference)[operation])
                if refusal(status, what) != expected or not expected and status != giop.OK:
                    yield f"callis naming: {operation} by {caller}, of a name that is {state}: {status} {what}"


def readonly(programs, row, folder):
    """Nobody changes anything."""
    with Service(programs, "naming", folder, ["--readonly"]) as service:
        for group in ("read", "write", "admin"):
            for operation in row.named(group):
                expected = "" if group == "read" or operation == "orphans" else "service"
                key = b"naming.administration" if "orphans" in operation else service.key
                status, what = service.own.ask(key, operation, of_naming(service.reference)[operation])
                if refusal(status, what) != expected:
                    yield f"callis naming --readonly: {operation} by own: {status} {what}"


def no_admin(programs, row, interfaces, folder):
    """Links and settings do not change; the rest of admin is as the rules say."""
    with Service(programs, "trading", folder, ["--no-admin"]) as service:
        keys = reach(service, "trading")
        arguments = {"add_link": cdr("a", *giop.reference(service.reference), 0, 0), "remove_link": cdr("a"), "modify_link": cdr("a", 0, 0),
                     "set_request_id_stem": cdr(b"stem")}
        for name, where in (("CosTrading::Link", "link_if"), ("CosTrading::Admin", "admin_if"), ("CosTrading::Register", "register_if"),
                            ("CosTradingRepos::ServiceTypeRepository", "type_repos")):
            for operation in interfaces.operations[name]:
                if row.groups(operation) != ["admin"] or operation == "set_type_repos":  # which never changes
                    continue
                status, what = service.own.ask(keys[where], operation, arguments.get(operation, cdr(0)))
                if refusal(status, what) != ("service" if operation.startswith("set_") or where == "link_if" else ""):
                    yield f"callis trading --no-admin: {operation} by own: {status} {what}"


def add(service, program, notes, key):
    """As `callis imr add server --key-prefix KEY --env NOTES=... -- PROGRAM` does."""
    return service.own.ask(service.key, "add", cdr(
        "server", 1, program, 1, "NOTES", notes, "", "", "", 0, 0, 1000, 1000, 10000, 10000, "", 1, key.hex(), 1, 0, ("B", 0)))


def servers_of_imr(programs, folder):
    """Calls, and LocateRequests, start a server for those alone who may read, and lead there."""
    key = b"rules.server"
    for allow, closed in (("read=any", ()), ("read=own", ("tcp", "stranger"))):
        notes = f"{folder}/notes with {allow}"  # are there when the server has been started
        with Service(programs, "imr", folder, ["--allow", allow]) as service:
            status, what = add(service, os.path.abspath(f"{programs}/callis_imr_counter"), notes, key)
            if status != giop.OK:
                yield f"callis imr: add: {status} {what}"
                continue
            for caller in sorted(service.links, key=lambda caller: caller not in closed):
                refused = caller in closed
                located = service.links[caller].locate(key)
                status, what = service.links[caller].ask(key, "ping", follow=False)
                good = refusal(status, what) == "rules" and located == giop.HERE if refused else status == giop.FORWARD
                if not good or os.path.exists(notes) == refused:
                    yield f"callis imr --allow {allow}: a server's call by {caller}: {status} {what}, located: {located}"
            service.own.ask(service.key, "stop", cdr("server"))


def check(programs, rows, interfaces, folder):
    options = {"naming": {"--allow", "--readonly"}, "trading": {"--allow", "--no-admin"}}
    for program, row in rows.items():
        if set(row.named("change")) != options.get(program, {"--allow"}):
            yield f"SECURITY.md: `callis {program}`: no test of {row.cells['change']}"
    yield from rebind(programs, rows["naming"], folder)
    yield from readonly(programs, rows["naming"], folder)
    yield from no_admin(programs, rows["trading"], interfaces, folder)
    yield from servers_of_imr(programs, folder)
