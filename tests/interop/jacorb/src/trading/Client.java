// SPDX-License-Identifier: Apache-2.0
// trading.Client REF: uses a trader, with a service type T that has Cost and Name, by stubs that JacORB's compiler has made of the OMG's
// IDL. Prints what it finds.
package trading;

import java.util.Properties;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CosTrading.*;
import org.omg.CosTrading.LookupPackage.*;
import org.omg.CosTrading.ProxyPackage.*;
import org.omg.CosTrading.RegisterPackage.*;

public final class Client {
  private static ORB orb;
  private static Lookup lookup;

  static Any any(int n) { Any a = orb.create_any(); a.insert_long(n); return a; }
  static Any any(String s) { Any a = orb.create_any(); a.insert_string(s); return a; }
  static Any card(int n) { Any a = orb.create_any(); a.insert_ulong(n); return a; }

  static Property[] properties(int cost, String name) {
    return new Property[] {new Property("Cost", any(cost)), new Property("Name", any(name))};
  }

  interface Action { void run() throws Exception; }

  static void failing(String what, Action a) {
    try {
      a.run();
      System.out.println(what + ": done");
    } catch (IllegalConstraint e) {
      System.out.println(what + ": IllegalConstraint " + e.constr.substring(e.constr.indexOf('\n') + 1));
    } catch (Exception e) {
      System.out.println(what + ": " + e.getClass().getSimpleName());
    }
  }

  // The costs of the offers found, in their order; those of the list, and behind a bar those of the iterator.
  static String found(String constraint, String preference, int howMany, Policy... policies) throws Exception {
    SpecifiedProps all = new SpecifiedProps();
    all.__default(HowManyProps.all);
    OfferSeqHolder offers = new OfferSeqHolder();
    OfferIteratorHolder more = new OfferIteratorHolder();
    PolicyNameSeqHolder limits = new PolicyNameSeqHolder();
    lookup.query("T", constraint, preference, policies, all, howMany, offers, more, limits);
    StringBuilder out = new StringBuilder();
    for (Offer o : offers.value) out.append(o.properties[0].value.extract_long()).append(' ');
    if (more.value != null) {
      out.append("| ");
      boolean again = true;
      while (again) {
        again = more.value.next_n(2, offers);
        for (Offer o : offers.value) out.append(o.properties[0].value.extract_long()).append(' ');
      }
      more.value.destroy();
    }
    for (String l : limits.value) out.append(l);
    return out.toString().trim();
  }

  public static void main(String[] arguments) throws Exception {
    Properties p = new Properties();
    p.put("org.omg.CORBA.ORBClass", "org.jacorb.orb.ORB");
    p.put("org.omg.CORBA.ORBSingletonClass", "org.jacorb.orb.ORBSingleton");
    orb = ORB.init(new String[0], p);
    lookup = LookupHelper.narrow(orb.string_to_object(arguments[0]));
    Register register = lookup.register_if();
    org.omg.CORBA.Object thing = orb.string_to_object("corbaloc::127.0.0.1:1/thing");
    String[] ids = new String[6];
    for (int i = 0; i < ids.length; ++i) ids[i] = register.export(thing, "T", properties(i, "thing " + i));
    System.out.println("all: " + found("", "min Cost", 100));
    System.out.println("some: " + found("Cost > 1 and 'thing' ~ Name", "max Cost", 100));
    System.out.println("parts: " + found("", "min Cost", 3));
    System.out.println("limited: " + found("", "max Cost", 100, new Policy("return_card", card(2))));
    OfferInfo info = register.describe(ids[2]);
    System.out.println("described: " + info.type + " " + info.reference._is_equivalent(thing) + " " + info.properties[1].value.extract_string());
    register.modify(ids[2], new String[] {"Name"}, new Property[] {new Property("Cost", any(20))});
    System.out.println("modified: " + found("not exist Name", "", 100));
    failing("constraint", () -> found("Cost < 'x'", "", 1));
    failing("preference", () -> found("", "best Cost", 1));
    failing("type", () -> register.export(thing, "Nothing", new Property[0]));
    failing("mandatory", () -> register.export(thing, "T", new Property[0]));
    failing("mismatch", () -> register.export(thing, "T", new Property[] {new Property("Cost", any("much"))}));
    failing("policy", () -> found("", "", 1, new Policy("match_card", any("many"))));
    Link link = lookup.link_if();
    link.add_link("itself", lookup, FollowOption.local_only, FollowOption.always);
    System.out.println("links: " + String.join(" ", link.list_links()) + " " + link.describe_link("itself").limiting_follow_rule.value());
    Any always = orb.create_any();
    FollowOptionHelper.insert(always, FollowOption.always);
    System.out.println("loop: " + found("Cost < 2", "min Cost", 100, new Policy("link_follow_rule", always)));
    link.remove_link("itself");
    String proxy = lookup.proxy_if().export_proxy(lookup, "T", properties(99, "proxy"), false, "$*", new Policy[0]);
    ProxyInfo described = lookup.proxy_if().describe_proxy(proxy);
    System.out.println("proxy: " + described.recipe + " " + described.if_match_all);
    lookup.proxy_if().withdraw_proxy(proxy);
    Admin admin = lookup.admin_if();
    OfferIdSeqHolder list = new OfferIdSeqHolder();
    OfferIdIteratorHolder rest = new OfferIdIteratorHolder();
    admin.list_offers(4, list, rest);
    int listed = list.value.length;
    rest.value.next_n(100, list);
    System.out.println("listed: " + listed + " and " + list.value.length);
    rest.value.destroy();
    System.out.println("was: " + admin.set_max_list(7) + " is: " + lookup.max_list());
    register.withdraw(ids[0]);
    register.withdraw_using_constraint("T", "Cost < 4");
    System.out.println("left: " + found("", "min Cost", 100));
    failing("gone", () -> register.withdraw(ids[0]));
    failing("illegal", () -> register.withdraw("?"));
    orb.shutdown(true);
  }
}
