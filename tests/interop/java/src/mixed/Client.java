// SPDX-License-Identifier: Apache-2.0
package mixed;

import java.util.Arrays;
import java.util.List;
import org.omg.CORBA.Any;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.DATA_CONVERSION;
import org.omg.CORBA.NO_PERMISSION;
import org.omg.CORBA.ORB;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import Mixed.*;

/** Client of mixed.idl in Java: IOR GROUP, facts as of mixed.py, and properties. Prints the failures, then `checks N`. */
public final class Client {
  private static int checks, failures;

  private static void check(boolean good, String what) {
    ++checks;
    if (good) return;
    ++failures;
    System.out.println("FAILED: " + what + " at " + Thread.currentThread().getStackTrace()[2]);
  }

  private static final String LATIN = "Gr\u00FC\u00DFe \u00A0\u00FF\u0080", EURO = "a\u20ACb";
  private static final String HIGH = Server.textOf(new int[] {0x7FF, 0x800, 0xFFFD, 0x10000, 0x1F600, 0x10FFFF});
  private final Peer peer;
  private final ORB orb;
  // All characters go in chars, since JacORB sends them in its own code set where the server knows that; the server
  // has them, too; GIOP has wstring; the server sends the texts of system exceptions.
  // The server knows _get_component, JacORB's name for _component.
  private final boolean unicode, serverHasAll, wide, high, texts, component;

  private Client(ORB orb, Peer peer, List<String> facts) {
    this.orb = orb;
    this.peer = peer;
    unicode = facts.contains("chars=utf8");
    serverHasAll = facts.contains("server=utf8");
    wide = facts.contains("wide=yes");
    high = !facts.contains("high=no");
    texts = facts.contains("texts=yes");
    component = facts.contains("component=yes");
  }

  private void textPasses(String s) {
    check(Arrays.equals(peer.points_of(s), Server.pointsOf(s)), "points_of " + s.length());
    check(peer.text_of(Server.pointsOf(s)).equals(s), "text_of " + s.length());
  }

  private void codeSets() {
    for (int i = 0; i < 3; ++i) textPasses(LATIN);
    textPasses("");
    if (unicode && serverHasAll) {
      textPasses(EURO);
      textPasses(HIGH);
    } else if (unicode) {
      try {
        peer.echo_string(EURO);
        check(false, "a character that the server does not have");
      } catch (DATA_CONVERSION e) {
        check(true, "");
      }
    }
    check(peer.echo_char('~') == '~', "echo_char");
    Any any = orb.create_any();
    any.insert_string(LATIN);
    check(peer.echo_any(any).extract_string().equals(LATIN), "a string in an any");
    if (!wide) return;
    for (String s : new String[] {LATIN, EURO, HIGH, "\uFFFDx", ""}) {
      if (s == HIGH && !high) continue;
      check(Arrays.equals(peer.wide_points_of(s), Server.pointsOf(s)), "wide_points_of " + s.length());
      check(peer.wide_text_of(Server.pointsOf(s)).equals(s), "wide_text_of " + s.length());
    }
    for (char c : new char[] {'A', '\u20AC', '\uFFFD'}) check(peer.echo_wchar(c) == c, "echo_wchar");
  }

  static Item item(String name, int n) {
    byte[] bytes = new byte[n];
    for (int k = 0; k < n; ++k) bytes[k] = (byte) (255 - k);
    return new Item(name, EURO, new Point((short) -n, n * 100000, n / 3.0), n % 2 != 0 ? Colour.blue : Colour.green, 'q',
                    n % 2 == 0, (byte) (200 + n), (long) -n << 40, n / 8f, bytes);
  }
  static boolean equal(Item a, Item b) {
    return a.name.equals(b.name) && a.title.equals(b.title) && a.at.x == b.at.x && a.at.y == b.at.y && a.at.z == b.at.z &&
           a.tint == b.tint && a.letter == b.letter && a.flag == b.flag && a.raw == b.raw && a.big == b.big &&
           a.ratio == b.ratio && Arrays.equals(a.bytes, b.bytes);
  }

  private void types() {
    for (int n = 0; n < 4; ++n) {
      ItemsHolder more = new ItemsHolder(new Item[n]);
      for (int i = 0; i < n; ++i) more.value[i] = item("more", i);
      StringsHolder names = new StringsHolder();
      check(equal(peer.echo_item(item("one", 5), more, names), item("one", 5)), "echo_item");
      check(more.value.length == n + 1 && equal(more.value[n], item("one", 5)), "more");
      for (int i = 0; i < n; ++i) check(equal(more.value[i], item("more", i)), "more " + i);
      check(names.value.length == n + 1 && names.value[0].equals("one"), "names");
    }
    Choice number = new Choice(), text = new Choice(), place = new Choice();
    number.number(-7);
    text.text("union");
    place.place(Colour.blue, new Point((short) 1, 300000, 2.5));
    Choice[] c = peer.echo_choices(new Choice[] {number, text, place});
    check(c.length == 3 && c[0].discriminator() == Colour.red && c[0].number() == -7, "number");
    check(c[1].discriminator() == Colour.green && c[1].text().equals("union"), "text");
    check(c[2].discriminator() == Colour.blue && c[2].place().y == 300000, "place");
    Any any = orb.create_any();
    ItemHelper.insert(any, item("in an any", 2));
    check(equal(ItemHelper.extract(peer.echo_any(any)), item("in an any", 2)), "item in an any");
    any.insert_longlong(1L << 60);
    check(peer.echo_any(any).extract_longlong() == 1L << 60, "long long in an any");
    ChoicesHelper.insert(any, c);
    check(ChoicesHelper.extract(peer.echo_any(any)).length == 3, "choices in an any");
  }

  static final class ListenerServant extends ListenerPOA {
    int calls;
    boolean right = true;
    @Override public void heard(String text, int number) {
      right = right && text.equals("back") && number == calls;
      ++calls;
    }
  }

  private void calls() throws Exception {
    try {
      peer.refuse("because", -3);
      check(false, "an exception");
    } catch (Refused e) {
      check(e.why.equals("because") && e.code == -3, "Refused");
    }
    try {
      peer.fail();
      check(false, "an exception");
    } catch (NO_PERMISSION e) {
      check(e.minor == 4711 && e.completed == CompletionStatus.COMPLETED_YES, "NO_PERMISSION");
      check(!texts || e.getMessage().contains("caf\u00e9 is closed"), "text " + e.getMessage());
    }
    for (String s : new String[] {"one", "two", "three"}) peer.note(s);
    int n = 0;
    for (int tries = 0; tries < 2000 && n < 3; ++tries) n = peer.notes().length;
    check(n == 3, "notes");
    Peer itself = peer.itself();
    check(peer.is_you(itself) && itself.is_you(peer) && !peer.is_you(null), "itself");
    check(itself._is_a("IDL:Mixed/Peer:1.0") && !itself._is_a("IDL:Mixed/Listener:1.0") && !itself._non_existent(), "_is_a");
    if (component) check(org.omg.CORBA.Object.class.getMethod("_get_component").invoke(itself) == null, "_get_component");
    POA poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    poa.the_POAManager().activate();
    ListenerServant servant = new ListenerServant();
    peer.call_back(ListenerHelper.narrow(poa.servant_to_reference(servant)), "back", 20);
    check(servant.calls == 20 && servant.right, "call_back");
  }

  private void values() {
    Node list = null;
    for (int i = 0; i < 5; ++i) {
      Node front = new Server.NodeValue();
      front.number = i;
      front.name = "node";
      front.next = list;
      list = front;
    }
    Node ring = peer.grow(list), n = ring;
    check(n.number == 5 && n.name.equals("front"), "front");
    for (int i = 4; i >= 0; --i) {
      n = n.next;
      check(n.number == i && n.name.equals("node"), "node " + i);
    }
    check(n.next == ring, "ring");
    check(peer.same(list, list) && !peer.same(list, list.next) && peer.same(null, null), "same");
  }

  private void large() {
    StringBuilder s = new StringBuilder();
    for (int i = 0; s.length() < 2 << 20; ++i) s.append((char) ('a' + (i & 0xFFF) * (i & 0xFFF) % 26));
    check(peer.echo_string(s.toString()).equals(s.toString()), "2 MB of string");
    check(peer.echo_string("short").equals("short"), "short");
    byte[] bytes = new byte[2 << 20];
    for (int i = 0; i < bytes.length; ++i) bytes[i] = (byte) (i * 7 + i / 251);
    check(Arrays.equals(peer.echo_octets(bytes), bytes), "2 MB of octets");
    // The JDK's ORB sends fragments of 1 KiB: messages that end before a fragment's end, at it and behind it.
    for (int n = 900; n < 1060; n += 5) check(peer.echo_octets(new byte[n]).length == n, n + " octets");
    for (int n = 4 << 10; n < 5 << 20; n = n * 4 + 1) check(peer.echo_octets(new byte[n]).length == n, n + " octets");
    check(peer.echo_octets(new byte[5 << 20]).length == 5 << 20, "5 MB of octets");
  }

  private void interceptors() throws Exception {
    for (int n = 1; n < 6; ++n) {
      Interceptors.asks = n;
      check(peer.echo_string("context").equals("context") && Interceptors.answered == n + 1, "a context " + n);
    }
    Interceptors.asks = 7;
    try {
      peer.refuse("because", -3);
      check(false, "an exception");
    } catch (Refused e) {
      check(e.code == -3 && Interceptors.answered == 8, "a context beside an exception");
    }
    Interceptors.asks = Interceptors.REFUSED;
    try {
      peer.echo_string("context");
      check(false, "an exception");
    } catch (NO_PERMISSION e) {
      check(e.minor == Interceptors.REFUSED_MINOR && e.completed == CompletionStatus.COMPLETED_NO, "refused");
    }
    Interceptors.asks = 0;
    check(peer.echo_string("none").equals("none") && Interceptors.answered == 0, "no context");
  }

  public static void main(String[] arguments) {
    try {
      ORB orb = ORB.init(new String[0], Server.properties(arguments));
      Server.register(orb);
      Client c = new Client(orb, PeerHelper.narrow(orb.string_to_object(arguments[0])), Arrays.asList(arguments));
      switch (arguments[1]) {
        case "code_sets": c.codeSets(); break;
        case "types": c.types(); break;
        case "calls": c.calls(); break;
        case "values": c.values(); break;
        case "large": c.large(); break;
        case "interceptors": c.interceptors(); break;
        default: check(false, "no such group: " + arguments[1]);
      }
      orb.shutdown(false);  // where it may wait Yoko takes a second
    } catch (Throwable e) {
      ++failures;
      e.printStackTrace(System.out);
    }
    System.out.println("checks " + checks);
    System.exit(failures == 0 && checks != 0 ? 0 : 1);
  }
}
