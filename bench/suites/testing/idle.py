# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of idle has."""
VALUES = [(system, case, metric) for system, case in (("callis-interpreted", "server"), ("callis-interpreted", "client"),
                                                      ("callis-pool", "server"), ("callis-interpreted", "service/properties"))
          for metric in ("wakeups_per_s", "cpu_us_per_s")]
BARS = [("idle: wake-ups", "server, callis-interpreted")]
