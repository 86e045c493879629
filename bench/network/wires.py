# SPDX-License-Identifier: Apache-2.0
"""The links that the suite network measures over, and what they are like."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Wire:
    """What a link is like. mbit 0: no limit. offload: packets larger than the MTU, which network cards cut, may be sent."""
    name: str
    mbit: float = 0
    mtu: int = 1500
    delay_ms: float = 0  # each way
    lost: float = 0      # share of the packets
    offload: bool = False

    @property
    def far(self):
        return bool(self.delay_ms or self.lost)

    @property
    def round_trip_us(self):
        return 2000 * self.delay_ms

    @property
    def words(self):
        said = [f"{self.mbit:g} Mbit/s" if self.mbit < 1000 else f"{self.mbit / 1000:g} Gbit/s"] if self.mbit else []
        said += [f"MTU {self.mtu:,}"]
        said += [f"{self.delay_ms:g} ms each way"] if self.delay_ms else []
        return ", ".join(said + ([f"{100 * self.lost:g} % lost"] if self.lost else []))


LOOPBACK = Wire("loopback", offload=True)
NEAR = (Wire("atm-155", mbit=155, mtu=9180), Wire("100M", mbit=100), Wire("1G", mbit=1000, offload=True),
        Wire("10G", mbit=10_000, mtu=9000, offload=True))
FAR = (Wire("0.1ms", mbit=100, delay_ms=0.05), Wire("1ms", mbit=100, delay_ms=0.5), Wire("5ms", mbit=100, delay_ms=2.5),
       Wire("20ms", mbit=100, delay_ms=10), Wire("20ms-lossy", mbit=100, delay_ms=10, lost=0.001))
BY_NAME = {wire.name: wire for wire in (LOOPBACK, *NEAR, *FAR)}
LONG = "20ms"
