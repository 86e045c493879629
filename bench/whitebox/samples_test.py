#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which function or system call a sample belongs to."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import samples  # noqa: E402
from processes import Failure  # noqa: E402

KERNEL = """
\tffffffff816ca027 copy_page ([kernel.kallsyms])
\tffffffff816b36e8 __x64_sys_writev ([kernel.kallsyms])
\tffffffff81000130 entry_SYSCALL_64_after_hwframe ([kernel.kallsyms])
\t           209e7 writev (/usr/lib/libc.so.6)
"""
INTERRUPT = "\n\tffffffff816ca027 timer ([kernel.kallsyms])\n\t 4012 callis::marshal::encode(callis::marshal::Plan const&) (/x/server)\n"
USER = "\n\t 4012 void callis::marshal::encode<int>(callis::marshal::Plan const&) (/x/server)\n\t 12 main (/x/server)\n"
UNKNOWN = "\n\t 4012 [unknown] (/usr/lib/libomniORB4.so.2)\n"


class Samples(unittest.TestCase):
    def test_a_sample_belongs_to_its_system_call_or_its_function(self):
        found = samples.shares(KERNEL * 100 + INTERRUPT * 50 + USER * 30 + UNKNOWN * 20)
        self.assertEqual(found, {"kernel/writev": 0.5, "kernel/other": 0.25, "user/callis::marshal::encode": 0.15,
                                 "user/libomniORB4.so.2": 0.1})

    def test_few_samples_say_nothing(self):
        with self.assertRaisesRegex(Failure, "only 1 samples"):
            samples.shares(USER)


if __name__ == "__main__":
    unittest.main()
