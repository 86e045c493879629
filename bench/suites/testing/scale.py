# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of scale has."""
import itertools

VALUES = list(itertools.product(("callis-interpreted", "callis-compiled", "callis-shared", "raw"), ("free/clients1", "free/clients8"),
                                ("calls_per_s",)))
BARS = [("scale", "free/clients8")]
