# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of services has."""
import itertools

VALUES = list(itertools.product(("callis-interpreted",), ("CosNaming",), ("bytes", "ns")))
BARS = [("services -Os: object code", "CosNaming"), ("services -Os: CPU time", "CosNaming")]
