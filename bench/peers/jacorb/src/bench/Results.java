// SPDX-License-Identifier: Apache-2.0
package bench;

import java.util.Arrays;
import java.util.Locale;

/** Result lines, and what ends the program when a value is wrong. */
final class Results {
  static final class Wrong extends RuntimeException {
    Wrong(String what) { super("wrong: " + what); }
  }

  static void expect(boolean right, String what) {
    if (!right) throw new Wrong(what);
  }

  static void print(String name, String metric, double value) {
    System.out.printf(Locale.ROOT, "{\"case\": \"%s\", \"metric\": \"%s\", \"value\": %.6f}%n", name, metric, value);
  }

  /** Sorts the samples. */
  static void latencies(String name, long[] ns) {
    long total = Arrays.stream(ns).sum();
    Arrays.sort(ns);
    print(name, "p50_us", at(ns, 0.5));
    print(name, "p99_us", at(ns, 0.99));
    print(name, "p999_us", at(ns, 0.999));
    print(name, "calls_per_s", ns.length * 1e9 / total);
  }

  /** The least sample that this share of all samples do not exceed. */
  private static double at(long[] sorted, double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(1, Math.min(rank, sorted.length)) - 1] / 1e3;
  }

  private Results() {}
}
