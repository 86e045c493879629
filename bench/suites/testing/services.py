# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of services has."""
import itertools

VALUES = [*itertools.product(("callis-interpreted",), ("CosNaming",), ("bytes", "ns")),
          *itertools.product(("callis-interpreted", "sqlite"), ("durable-bind",), ("calls_per_s",))]
BARS = [("services -Os: object code", "CosNaming"), ("services -Os: CPU time", "CosNaming"),
        ("services: durable changes", "durable-bind")]
