// SPDX-License-Identifier: Apache-2.0
package bench;

import java.util.List;

/** Tells which operations and how many objects were called since it was last asked. */
final class DemuxCountServant extends DemuxCountPOA {
  private final List<DemuxObject> objects;

  DemuxCountServant(List<DemuxObject> objects) { this.objects = objects; }

  public long calls(int operation) {
    long n = DemuxObject.CALLS[operation];
    DemuxObject.CALLS[operation] = 0;
    return n;
  }
  public int objects() {
    int called = 0;
    for (DemuxObject each : objects) {
      if (each.calls != 0) ++called;
      each.calls = 0;
    }
    return called;
  }
}
