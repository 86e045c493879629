# SPDX-License-Identifier: Apache-2.0
"""Hostile peers against live servers and clients, from outside: raw sockets, bytes made here.

    run.py          the command line: ./dev attack
    attack.py       what an attack is: Attack against a server, ClientAttack against a client
    full.py         an attack on a server from beginning to end: victim, good client, attacker in a process of its own
    short.py        many attacks on one server: the short form, which ./dev test runs
    clients.py      attacks on clients
    compiler.py     attacks on callis-idl
    services.py     attacks on the services, and their good client
    attacker.py     the process that attacks
    setting.py      what attacks of one run have in common
    report.py       what must hold, what was seen, the table
    victim.py       the processes under attack and their good client
    usage.py        a process's memory and processor time
    peer.py         a hostile connection
    hostile.py      a hostile server
    cdr.py          bytes of values and TypeCodes
    themes/         the attacks, a module a theme
    programs/       the server and the client, and a ping-pong to compare with

Python's standard library only. An attack is a small class with a docstring; a new one in a module of themes/ is found by
itself. Every loop is bounded by the time that an attack has; what waits, waits on descriptors with a deadline.
"""
