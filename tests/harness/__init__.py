# SPDX-License-Identifier: Apache-2.0
"""What the tests with more than one process share: processes, references, GIOP, a recording proxy, captures.

Python's standard library only. Nothing here sleeps: every wait is on a descriptor, with a deadline.
"""
