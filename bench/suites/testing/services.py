# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of services has."""
import itertools

VALUES = [*itertools.product(("callis-interpreted",), ("CosNaming",), ("bytes", "ns")),
          *itertools.product(("callis-interpreted", "sqlite"), ("durable-bind",), ("calls_per_s",)),
          ("callis-interpreted", "resolve", "calls_per_s"), ("callis-interpreted", "start", "ns"), ("callis-interpreted", "idle", "bytes"),
          ("omninames", "resolve", "calls_per_s"), ("omninames", "start", "ns"),
          ("callis-interpreted", "first-call", "ns"), ("process", "first-call", "ns"), ("callis-interpreted", "imr-idle", "bytes")]
BARS = [("services -Os: object code", "CosNaming"), ("services -Os: CPU time", "CosNaming"),
        ("services: durable changes", "durable-bind"), ("services: names resolved", "resolve"),
        ("services: start of callis naming", "start"), ("services: memory of an idle callis naming", "idle"),
        ("services: first call through callis imr", "first-call"), ("services: memory of an idle callis imr", "imr-idle")]
