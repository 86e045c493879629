// SPDX-License-Identifier: Apache-2.0
package mixed;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.omg.CORBA.Any;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.IntHolder;
import org.omg.CORBA.NO_PERMISSION;
import org.omg.CORBA.ORB;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import Mixed.*;

/** Server of mixed.idl in Java. Arguments: properties, NAME=VALUE. Prints its reference; ends when its input does. */
public final class Server {
  /** What the ORB is told: arguments of the form NAME=VALUE. */
  public static Properties properties(String[] arguments) {
    Properties p = new Properties();
    for (String a : arguments)
      if (a.indexOf('=') > 0) p.put(a.substring(0, a.indexOf('=')), a.substring(a.indexOf('=') + 1));
    return p;
  }

  static int[] pointsOf(String s) { return s.codePoints().toArray(); }
  static String textOf(int[] points) { return new String(points, 0, points.length); }

  static final class PeerServant extends PeerPOA {
    private final List<String> notes = new ArrayList<>();

    @Override public int[] points_of(String text) { return pointsOf(text); }
    @Override public String text_of(int[] points) { return textOf(points); }
    @Override public int[] wide_points_of(String text) { return pointsOf(text); }
    @Override public String wide_text_of(int[] points) { return textOf(points); }
    @Override public char echo_wchar(char c) { return c; }
    @Override public char echo_char(char c) { return c; }

    @Override public Item echo_item(Item one, ItemsHolder more, StringsHolder names) {
      List<String> all = new ArrayList<>();
      all.add(one.name);
      Item[] longer = new Item[more.value.length + 1];
      for (int i = 0; i < more.value.length; ++i) {
        longer[i] = more.value[i];
        all.add(longer[i].name);
      }
      longer[more.value.length] = one;
      more.value = longer;
      names.value = all.toArray(new String[0]);
      return one;
    }
    @Override public Choice[] echo_choices(Choice[] some) { return some; }
    @Override public Any echo_any(Any value) { return value; }
    @Override public String echo_string(String text) { return text; }
    @Override public byte[] echo_octets(byte[] bytes) { return bytes; }
    @Override public void refuse(String why, int code) throws Refused { throw new Refused(why, code); }
    @Override public void fail() { throw new NO_PERMISSION("caf\u00e9 is closed", 4711, CompletionStatus.COMPLETED_YES); }

    @Override public Node grow(Node list) {
      Node front = new NodeValue();
      front.number = list == null ? 0 : list.number + 1;
      front.name = "front";
      front.next = list;
      Node last = front;
      while (last.next != null) last = last.next;
      last.next = front;
      return front;
    }
    @Override public boolean same(Node a, Node b) { return a == b; }
    @Override public int number_of(Any any) { return NodeHelper.extract(any).number; }

    @Override public synchronized void note(String text) { notes.add(text); }
    @Override public synchronized String[] notes() { return notes.toArray(new String[0]); }
    @Override public void call_back(Listener whom, String text, int times) {
      for (int i = 0; i < times; ++i) whom.heard(text, i);
    }
    @Override public Peer itself() { return _this(); }
    @Override public boolean is_you(Peer other) { return other != null && _this()._is_equivalent(other); }
  }

  static final class NodeValue extends Node {}

  static void register(ORB orb) {
    ((org.omg.CORBA_2_3.ORB) orb).register_value_factory("IDL:Mixed/Node:1.0", in -> in.read_value(new NodeValue()));
  }

  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(new String[0], properties(arguments));
    register(orb);
    POA poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    poa.the_POAManager().activate();
    System.out.println(orb.object_to_string(poa.servant_to_reference(new PeerServant())));
    System.out.flush();
    while (System.in.read() > 0) {
    }
    orb.shutdown(false);  // where it may wait Yoko takes a second
    System.exit(0);
  }
}
