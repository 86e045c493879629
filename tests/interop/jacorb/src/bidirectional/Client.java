// SPDX-License-Identifier: Apache-2.0
package bidirectional;

import java.util.ArrayList;
import java.util.List;
import org.omg.CORBA.ORB;
import org.omg.PortableServer.POA;
import bidirectional.BiDirectional.*;

/** JacORB's side of bidirectional.idl: IOR, and properties. Prints the failures, then `checks N`. */
public final class Client {
  private static int checks, failures;

  private static synchronized void check(boolean good, String what) {
    ++checks;
    if (good) return;
    ++failures;
    System.out.println("FAILED: " + what);
  }

  static final class ListenerServant extends ListenerPOA {
    private final Caller caller;
    private Listener me;
    private int told;
    private final java.util.concurrent.atomic.AtomicInteger heard = new java.util.concurrent.atomic.AtomicInteger();

    ListenerServant(Caller caller) { this.caller = caller; }
    void isSeenAs(Listener me) { this.me = me; }
    @Override public String heard(String text) {
      heard.incrementAndGet();
      return text;
    }
    @Override public String asks(int depth) { return depth <= 0 ? "deep" : caller.nest(me, depth); }
    @Override public synchronized void told(String text) {
      ++told;
      notifyAll();
    }
    synchronized boolean waitFor(int n) throws InterruptedException {
      for (long end = System.currentTimeMillis() + 30000; told < n;) {
        long left = end - System.currentTimeMillis();
        if (left <= 0) return false;
        wait(left);
      }
      return true;
    }
  }

  private static void run(ORB orb, String ior, boolean usual) throws Exception {
    POA poa = Server.adapter(orb, usual);
    Caller caller = CallerHelper.narrow(orb.string_to_object(ior));
    ListenerServant servant = new ListenerServant(caller);
    Listener me = ListenerHelper.narrow(Server.activate(poa, servant));
    servant.isSeenAs(me);
    if (!usual) ((org.jacorb.orb.ORB) orb).getBasicAdapter().stopListeners();  // nobody can connect any more

    for (int i = 0; i < 3; ++i) check(caller.call_back(me, "during a call").equals("during a call"), "during a call");
    String large = "x".repeat(300000);
    check(caller.call_back(me, large).equals(large), "large");
    check(caller.nest(me, 6).equals("deep"), "nested");

    caller.keep(me);
    caller.call_later("after it", 5);
    check(servant.waitFor(5), "after the call");

    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; ++t)
      threads.add(new Thread(() -> {
        for (int i = 0; i < 50; ++i) check(caller.call_back(me, "" + i).equals("" + i), "of many threads");
      }));
    for (Thread t : threads) t.start();
    caller.call_later("meanwhile", 20);
    for (Thread t : threads) t.join();
    check(servant.waitFor(25), "meanwhile");
    check(servant.heard.get() == 3 + 1 + 5 + 4 * 50 + 20, "each callback came once: " + servant.heard);
  }

  public static void main(String[] arguments) {
    try {
      ORB orb = ORB.init(new String[0], Server.properties(arguments));
      run(orb, arguments[0], Server.wantsUsualAdapters(arguments));
      orb.shutdown(true);
    } catch (Exception e) {
      e.printStackTrace(System.out);
      check(false, e.toString());
    }
    System.out.println("checks " + checks);
    System.exit(failures == 0 ? 0 : 1);
  }
}
