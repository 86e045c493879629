#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is read out of strace's lines."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import system_calls  # noqa: E402

TRACE = """\
812   writev(5, [{iov_base=""..., iov_len=64}, {iov_base=""..., iov_len=131072}], 2) = 131136
812   writev(5, [{iov_base=""..., iov_len=64}], 1) = 131072
812   recvfrom(5, ""..., 65536, 0, NULL, NULL) = 36
813   epoll_wait(7, [{events=EPOLLIN, data={u32=1, u64=1}}], 1, 10000) = 1
812   recvfrom(5,  <unfinished ...>
812   <... recvfrom resumed>""..., 65536, 0, NULL, NULL) = 36
812   read(3, ""..., 4096) = 0
812   recvfrom(5, 0x1, 65536, MSG_DONTWAIT, NULL, NULL) = -1 EAGAIN (Resource temporarily unavailable)
812   exit_group(0) = ?
--- SIGTERM {si_signo=SIGTERM} ---
"""


class Lines(unittest.TestCase):
    def test_are_counted_by_call_and_size(self):
        self.assertEqual(system_calls.parse(TRACE.splitlines()), {
            ("writev", "128K"): 2, ("recvfrom", "32"): 2, ("epoll_wait", "-"): 1, ("read", "none"): 1, ("recvfrom", "none"): 1})

    def test_sizes_are_the_nearest_power_of_two(self):
        self.assertEqual([system_calls.size_name(n) for n in (1, 36, 1000, 1400, 100_000, 131_136, 3 << 20, -1)],
                         ["1", "32", "1K", "1K", "128K", "128K", "4M", "none"])


if __name__ == "__main__":
    unittest.main()
