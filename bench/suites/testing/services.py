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
          ("callis-interpreted", "events-call", "p50_us"), ("callis-interpreted", "events-idle", "bytes"),
          *itertools.product(("callis-interpreted",), ("get-property", "properties-plain"), ("calls_per_s",)),
          ("callis-interpreted", "properties-idle", "bytes"),
          *itertools.product(("callis-interpreted",), ("rt-events-alone", "rt-events-flooded"), ("p50_us",)),
          *itertools.product(("callis-interpreted",), ("rt-events-rate", "rt-events-plain"), ("calls_per_s",)),
          *itertools.product(("callis-interpreted", "raw"), ("flow-tcp", "flow-udp", "flow-rtp"), ("gbit_s",)),
          *itertools.product(("callis-interpreted", "raw"), ("flow-jitter",), ("p50_us", "p99_us")),
          ("callis-interpreted", "stream-setup", "calls"), ("callis-interpreted", "stream-setup", "calls_per_s")]
BARS = [("services -Os: object code", "CosNaming"), ("services -Os: CPU time", "CosNaming"),
        ("services: durable changes", "durable-bind"), ("services: names resolved", "resolve"),
        ("services: start of callis naming", "start"), ("services: memory of an idle callis naming", "idle"),
        ("services: first call through callis imr", "first-call"), ("services: memory of an idle callis imr", "imr-idle"),
        ("services: events a second to 10 consumers", "events-10"), ("services: events a second with one", "events-stopped"),
        ("services: time from push() to the consumer", "events-latency"),
        ("services: memory of an idle callis events", "events-idle"),
        ("services: properties read", "get-property"), ("services: memory of an idle callis properties", "properties-idle"),
        ("services: a real-time event's time", "rt-events-flooded"), ("services: real-time events a second", "rt-events-rate"),
        ("services: throughput of a flow over TCP", "flow-tcp"), ("services: throughput of a flow over UDP", "flow-udp"),
        ("services: throughput of a flow over RTP/UDP", "flow-rtp"), ("services: calls that set a stream up", "stream-setup")]
