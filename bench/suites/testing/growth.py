# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of growth has."""
VALUES = [("callis-pool", f"connections/{n}", metric) for n in (50, 100, 200) for metric in ("bytes", "connections_per_s", "cpu_us", "p99_us")] + \
         [("callis-interpreted", f"active/{n}", metric) for n in (500, 1000, 4000) for metric in ("bytes", "ns")] + \
         [("callis-interpreted", f"default/{n}", "ns") for n in (500, 1000, 4000)] + \
         [("callis-pool", "process", "bytes"), ("callis-pool", "limits/descriptors", "declared"), ("callis-pool", "limits/memory", "bytes")]
SECTION = "growth: how far the line"
BARS = [(SECTION, "memory of the server with connections, 200"), (SECTION, "memory of active objects, 4,000")]
