# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of services has."""
import itertools

VALUES = [*itertools.product(("callis-interpreted",), ("CosNaming",), ("bytes", "ns")),
          *itertools.product(("callis-interpreted", "sqlite"), ("durable-bind",), ("calls_per_s",)),
          ("callis-interpreted", "resolve", "calls_per_s"), ("callis-interpreted", "start", "ns"), ("callis-interpreted", "idle", "bytes"),
          ("omninames", "resolve", "calls_per_s"), ("omninames", "start", "ns"),
          *itertools.product(("callis-interpreted", "process"), ("first-call",), ("calls_per_s",)), ("callis-interpreted", "imr-idle", "bytes"),
          *itertools.product(("callis-interpreted", "omnievents"), ("events-1", "events-10", "events-100"), ("calls_per_s",)),
          ("callis-interpreted", "events-stopped", "calls_per_s"), ("callis-interpreted", "events-latency", "p50_us"),
          ("callis-interpreted", "events-idle", "bytes"),
          *itertools.product(("callis-interpreted",), ("trading-index", "trading-scan", "trading-evaluate"), ("ns",)),
          ("callis-interpreted", "trading-offer", "bytes")]
BARS = [("services -Os: object code", "CosNaming"), ("services -Os: CPU time", "CosNaming"),
        ("services: durable changes", "durable-bind"), ("services: names resolved", "resolve"),
        ("services: start of callis naming", "start"), ("services: memory of an idle callis naming", "idle"),
        ("services: first call through callis imr", "first-call"), ("services: memory of an idle callis imr", "imr-idle"),
        ("services: events a second to 10 consumers", "events-10"), ("services: events a second with one", "events-stopped"),
        ("services: memory of an idle callis events", "events-idle"),
        ("services: a query of callis trading that an index serves", "trading-index"),
        ("services: a query of callis trading that looks at all", "trading-scan"),
        ("services: memory of an offer", "trading-offer")]
