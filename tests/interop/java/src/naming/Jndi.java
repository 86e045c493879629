// SPDX-License-Identifier: Apache-2.0
package naming;

import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import org.omg.CORBA.ORB;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import Mixed.*;

/** A name service by JNDI, whose provider for CosNaming comes with the JDK's former ORB: URL, properties. Prints what it finds. */
public final class Jndi {
  private interface Step { void run() throws Exception; }

  private static void refused(String what, Step step) throws Exception {
    try {
      step.run();
      System.out.println(what + ": done");
    } catch (NamingException e) {
      System.out.println(what + ": " + e.getClass().getSimpleName());
    }
  }

  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(new String[0], mixed.Server.properties(arguments));
    POA poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    poa.the_POAManager().activate();
    org.omg.CORBA.Object listener = poa.servant_to_reference(new ListenerPOA() {
      @Override public void heard(String text, int number) {}
    });
    Hashtable<String, Object> told = new Hashtable<>();
    told.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.cosnaming.CNCtxFactory");
    told.put(Context.PROVIDER_URL, arguments[0]);
    told.put("java.naming.corba.orb", orb);
    Context root = new InitialContext(told);
    Context shop = root.createSubcontext("shop");
    shop.createSubcontext("deep");
    for (int i = 0; i < 150; ++i) shop.bind("name " + i, listener);
    int found = 0;
    for (NamingEnumeration<?> all = root.listBindings("shop"); all.hasMore(); all.next()) ++found;
    System.out.println("listed " + found);
    org.omg.CORBA.Object back = (org.omg.CORBA.Object) root.lookup("shop/name 7");
    System.out.println("resolved " + back._is_equivalent(listener) + " " + back._is_a(ListenerHelper.id()));
    refused("bind", () -> shop.bind("name 7", listener));
    refused("rebind", () -> shop.rebind("name 7", listener));
    refused("missing", () -> root.lookup("shop/deep/nothing"));
    refused("through", () -> root.lookup("shop/name 7/x"));
    refused("destroy", () -> root.destroySubcontext("shop"));
    for (int i = 0; i < 150; ++i) shop.unbind("name " + i);
    refused("destroy", () -> shop.destroySubcontext("deep"));
    refused("destroy", () -> root.destroySubcontext("shop"));
    refused("gone", () -> root.lookup("shop"));
    System.exit(0);
  }
}
