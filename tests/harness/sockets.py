# SPDX-License-Identifier: Apache-2.0
"""What the kernel says of the TCP connections of a process."""
import os
import pathlib
import re

_CLOSE_WAIT = "08"  # in net/tcp_states.h


def peers_have_closed(pid):
    """How many connections of the process are closed at the other end, and not yet at this one."""
    process = pathlib.Path(f"/proc/{pid}")
    own = set()
    for descriptor in (process / "fd").iterdir():
        try:
            if found := re.fullmatch(r"socket:\[(\d+)\]", os.readlink(descriptor)):
                own.add(found.group(1))
        except FileNotFoundError:  # closed meanwhile
            pass
    rows = [row.split() for table in ("tcp", "tcp6") for row in (process / "net" / table).read_text().splitlines()[1:]]
    return sum(row[3] == _CLOSE_WAIT and row[9] in own for row in rows)
