// SPDX-License-Identifier: Apache-2.0
package bench;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.omg.CORBA.ORB;

/** demux: the first and the last of 100 operations, of objects in random order; as ../common/demux.h has it. */
final class Demultiplexing {
  private static final int WARM = 20_000, LAST = 99;

  private final Options options;
  private final Demux[] objects;
  private final DemuxCount counter;

  Demultiplexing(Options options, ORB orb, List<String> references) {
    this.options = options;
    objects = new Demux[references.size() - 1];
    for (int i = 0; i < objects.length; ++i)
      objects[i] = DemuxHelper.unchecked_narrow(orb.string_to_object(references.get(i)));
    counter = DemuxCountHelper.narrow(orb.string_to_object(references.get(objects.length)));
    Results.expect(objects.length == options.objects, "number of objects");
  }

  void run() {
    measure("first", 0, Demux::op_000);
    measure("last", LAST, Demux::op_099);
  }

  private void measure(String which, int operation, Consumer<Demux> call) {
    int[] every = new int[objects.length];
    Arrays.setAll(every, i -> i);
    make(every, operation, call);
    make(random(Math.min(WARM, options.calls), 1), operation, call);
    Results.latencies("objects" + objects.length + "/" + which, make(random(options.calls, 2), operation, call));
  }

  private int[] random(int calls, long seed) {
    return new Random(seed).ints(calls, 0, objects.length).toArray();
  }

  /** Nanoseconds of the calls, all of which must have reached their objects. */
  private long[] make(int[] targets, int operation, Consumer<Demux> call) {
    long[] ns = new long[targets.length];
    for (int i = 0; i < ns.length; ++i) {
      long start = System.nanoTime();
      call.accept(objects[targets[i]]);
      ns[i] = System.nanoTime() - start;
    }
    Results.expect(counter.calls(operation) == targets.length, "number of calls of the operation");
    Results.expect(counter.objects() == Arrays.stream(targets).distinct().count(), "objects called");
    return ns;
  }
}
