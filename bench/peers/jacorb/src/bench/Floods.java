// SPDX-License-Identifier: Apache-2.0
package bench;

import java.util.function.IntFunction;
import org.omg.CORBA.LongHolder;

/** ttcp: one-way floods, as ../common/flood.h has them. */
final class Floods {
  private final Options options;
  private final ttcp_throughputOperations object;  // a stub, or DynamicTtcp

  Floods(Options options, ttcp_throughputOperations object) {
    this.options = options;
    this.object = object;
  }

  /** What element i of n holds: the last one may be told to be wrong. */
  private int value(int i, int n) { return options.corrupt && i == n - 1 ? n : i; }

  void run() {
    type("short", 2, n -> {
      short[] ts = new short[n];
      for (int i = 0; i < n; ++i) ts[i] = (short) value(i, n);
      return () -> object.sendShortSeq(ts);
    });
    type("char", 1, n -> {
      char[] ts = new char[n];
      for (int i = 0; i < n; ++i) ts[i] = Values.character(value(i, n));
      return () -> object.sendCharSeq(ts);
    });
    type("long", 4, n -> {
      int[] ts = new int[n];
      for (int i = 0; i < n; ++i) ts[i] = value(i, n);
      return () -> object.sendLongSeq(ts);
    });
    type("octet", 1, n -> {
      byte[] ts = new byte[n];
      for (int i = 0; i < n; ++i) ts[i] = (byte) value(i, n);
      return () -> object.sendOctetSeq(ts);
    });
    type("double", 8, n -> {
      double[] ts = new double[n];
      for (int i = 0; i < n; ++i) ts[i] = value(i, n);
      return () -> object.sendDoubleSeq(ts);
    });
    type("BinStruct", 32, n -> {
      BinStruct[] ts = new BinStruct[n];
      for (int i = 0; i < n; ++i) ts[i] = Values.binary(value(i, n));
      return () -> object.sendStructSeq(ts);
    });
  }

  /** sender: from the number of elements to what sends so many. */
  private void type(String name, int elementBytes, IntFunction<Runnable> sender) {
    if (!Options.wanted(options.types, name)) return;
    for (int size : options.sizes) point(name + "/" + sizeName(size), size, sender.apply(size / elementBytes));
  }

  private static String sizeName(int bytes) { return bytes >> 20 > 0 ? (bytes >> 20) + "M" : (bytes >> 10) + "K"; }

  private void point(String name, int size, Runnable send) {
    long total = options.megabytes << 20;
    flood(name, size, Math.max(4, total / size), send);  // the warm-up is as long as the point itself
    long buffers = Math.max(4, total / size);
    long start = System.nanoTime();
    long receiver = flood(name, size, buffers, send);
    long ns = System.nanoTime() - start;
    Results.print(name, "gbit_s", buffers * (double) size * 8 / ns);
    Results.print(name, "receiver_gbit_s", (buffers - 1) * (double) size * 8 / Math.max(1, receiver));
  }

  /** The receiver's nanoseconds, from the first buffer to the last. */
  private long flood(String name, int size, long buffers, Runnable send) {
    for (long i = 0; i < buffers; ++i) send.run();
    LongHolder arrived = new LongHolder(), nanoseconds = new LongHolder();
    long intact = object.received(arrived, nanoseconds);
    Results.expect(arrived.value == buffers * size, name + ": bytes that arrived");
    Results.expect(intact == buffers * size, name + ": an element is not as sent");
    return nanoseconds.value;
  }
}
