// SPDX-License-Identifier: Apache-2.0
// naming.Client REF: uses a name service by the OMG's stubs that come with JacORB, and prints what it finds.
package naming;

import java.util.Properties;
import java.util.TreeSet;
import org.omg.CORBA.ORB;
import org.omg.CosNaming.*;
import org.omg.CosNaming.NamingContextPackage.*;

public final class Client {
  private static NamingContextExt root;

  static NameComponent[] name(String text) throws Exception { return root.to_name(text); }

  interface Action { void run() throws Exception; }

  static void failing(String what, Action a) {
    try {
      a.run();
      System.out.println(what + ": done");
    } catch (NotFound e) {
      StringBuilder rest = new StringBuilder();
      for (NameComponent c : e.rest_of_name) rest.append(' ').append(c.id).append('.').append(c.kind);
      System.out.println(what + ": NotFound " + e.why.value() + rest);
    } catch (Exception e) {
      System.out.println(what + ": " + e.getClass().getSimpleName());
    }
  }

  public static void main(String[] arguments) throws Exception {
    Properties p = new Properties();
    p.put("org.omg.CORBA.ORBClass", "org.jacorb.orb.ORB");
    p.put("org.omg.CORBA.ORBSingletonClass", "org.jacorb.orb.ORBSingleton");
    ORB orb = ORB.init(new String[0], p);
    root = NamingContextExtHelper.narrow(orb.string_to_object(arguments[0]));
    org.omg.CORBA.Object thing = orb.string_to_object("corbaloc::127.0.0.1:1/thing");
    NamingContext made = root.bind_new_context(name("java"));
    NamingContext deep = root.bind_new_context(name("java/deep.k"));
    root.bind(name("java/deep.k/o"), thing);
    System.out.println("resolved " + deep.resolve(name("o"))._is_equivalent(thing));
    System.out.println("by text " + root.resolve_str("java/deep.k/o")._is_equivalent(thing));
    failing("bind", () -> root.bind(name("java/deep.k/o"), thing));
    failing("missing", () -> root.resolve(name("java/x/y")));
    failing("through", () -> root.resolve(name("java/deep.k/o/p")));
    failing("rebind", () -> root.rebind(name("java/deep.k"), thing));
    failing("nothing", () -> root.resolve(new NameComponent[0]));
    failing("destroy", () -> made.destroy());
    for (int i = 0; i < 30; ++i) deep.rebind(name("n" + i), thing);
    BindingListHolder list = new BindingListHolder();
    BindingIteratorHolder rest = new BindingIteratorHolder();
    deep.list(7, list, rest);
    TreeSet<String> seen = new TreeSet<>();
    int lists = 0;
    do {
      for (Binding b : list.value) seen.add(b.binding_name[0].id);
      ++lists;
    } while (rest.value.next_n(7, list));
    rest.value.destroy();
    System.out.println("listed " + seen.size() + " in " + lists);
    System.out.println(root.to_string(new NameComponent[] {new NameComponent("a.b", "c/d"), new NameComponent("", "k")}));
    System.out.println(root.to_url(":host:2809/NameService", "a b/c"));
    root.unbind(name("java/deep.k"));
    failing("unbound", () -> root.resolve(name("java/deep.k/o")));
    orb.shutdown(true);
  }
}
