// SPDX-License-Identifier: Apache-2.0
package bench;

import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.omg.CORBA.ORB;
import org.omg.CORBA.ShortHolder;

/**
 * scale: test_short from many clients. They are threads of one virtual machine, where the other peers have processes,
 * since 64 machines would measure their start; each has an ORB, and thereby a connection, of its own.
 */
final class Scale {
  private static final int WARM = 20_000;  // of all clients together

  private final Options options;
  private final String reference;
  private final LongAdder calls = new LongAdder();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final CountDownLatch ready;
  private volatile boolean counting, stop;

  Scale(Options options, String reference) {
    this.options = options;
    this.reference = reference;
    ready = new CountDownLatch(options.clients);
  }

  private void client() {
    try {
      ORB orb = ORB.init(new String[0], new Properties());
      Param_Test object = Param_TestHelper.narrow(orb.string_to_object(reference));
      short n = 0;
      for (int i = 0; i < WARM / options.clients; ++i) call(object, ++n);
      ready.countDown();
      while (!stop) {
        call(object, ++n);
        if (counting) calls.increment();
      }
    } catch (Throwable problem) {
      failure.set(problem);
      ready.countDown();
    }
  }

  private static void call(Param_Test object, short s1) {
    ShortHolder s2 = new ShortHolder((short) 9), s3 = new ShortHolder();
    short result = object.test_short(s1, s2, s3);
    Results.expect(result == s1 && s2.value == s1 && s3.value == s1, "test_short");
  }

  void run() throws Exception {
    Thread[] clients = new Thread[options.clients];
    for (int i = 0; i < clients.length; ++i) {
      clients[i] = new Thread(this::client);
      clients[i].start();
    }
    ready.await();
    long start = System.nanoTime();
    counting = true;
    Thread.sleep((long) (options.seconds * 1e3));
    long made = calls.sum(), ns = System.nanoTime() - start;
    stop = true;
    for (Thread each : clients) each.join();
    if (failure.get() instanceof Results.Wrong) throw (Results.Wrong) failure.get();
    if (failure.get() != null) throw new IllegalStateException("a client failed", failure.get());
    Results.print("clients" + options.clients, "calls_per_s", made * 1e9 / ns);
  }
}
