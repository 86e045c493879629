// SPDX-License-Identifier: Apache-2.0
package foreign;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.ArrayList;
import org.omg.CORBA.Any;
import org.omg.CORBA.BAD_PARAM;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.DataInputStream;
import org.omg.CORBA.DataOutputStream;
import org.omg.CORBA.ORB;
import org.omg.CORBA.StructMember;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;
import Foreign.*;

/** Calls callis as users of ORBs in Java do: IOR GROUP, and properties. Prints the failures, then `checks N`. */
public final class Client {
  private static int checks, failures;

  private static synchronized void check(boolean good, String what) {
    ++checks;
    if (good) return;
    ++failures;
    System.out.println("FAILED: " + what + " at " + Thread.currentThread().getStackTrace()[2]);
  }

  static final class LeafValue extends Leaf {}
  static final class TreeValue extends Tree {}
  static final class StrangerValue extends Stranger {}
  static final class PackedValue extends Packed {
    @Override public void marshal(DataOutputStream to) {
      to.write_long(number);
      to.write_string(text);
    }
    @Override public void unmarshal(DataInputStream from) {
      number = from.read_long();
      text = from.read_string();
    }
  }

  private final ORB orb;
  private final Peer peer;

  private Client(ORB orb, Peer peer) {
    this.orb = orb;
    this.peer = peer;
  }

  private Any any(int n) {
    Any a = orb.create_any();
    a.insert_long(n);
    return a;
  }
  private Stranger stranger(String name, int inside, Stranger next) {
    Stranger made = new StrangerValue();
    made.name = name;
    made.inside = any(inside);
    made.next = next;
    return made;
  }
  private static boolean equal(Stranger a, Stranger b) {
    if (a == null || b == null) return a == b;
    return a.name.equals(b.name) && a.inside.extract_long() == b.inside.extract_long() && equal(a.next, b.next);
  }

  /** Values that the server has no factory for, in anys at every place. */
  private void unknown() {
    Stranger last = stranger("last", 1, null);
    Stranger list = stranger("first", 2, stranger("second", 3, last));
    Any one = orb.create_any();
    StrangerHelper.insert(one, list);
    check(equal(StrangerHelper.extract(peer.pass(one)), list), "a list");
    check(peer.pass(one).type().equivalent(StrangerHelper.type()), "its type");

    Any ring = orb.create_any();
    Stranger itself = stranger("ring", 4, null);
    itself.next = stranger("of two", 5, itself);
    StrangerHelper.insert(ring, itself);
    Stranger round = StrangerHelper.extract(peer.pass(ring));
    check(round.next.next == round && round.next.name.equals("of two"), "a ring");

    Any outer = orb.create_any();
    outer.insert_any(one);
    check(equal(StrangerHelper.extract(peer.pass(outer).extract_any()), list), "in an any in an any");

    Tree tree = new TreeValue();
    tree.name = "tree";
    tree.inside = one;
    Any known = orb.create_any();
    TreeHelper.insert(known, tree);
    check(equal(StrangerHelper.extract(TreeHelper.extract(peer.pass(known)).inside), list), "in a value that it knows");

    HolderHolder other = new HolderHolder(new Holder((byte) 3, one, 44));
    Any[] all = peer.pass_all(new Any[] {one, any(9), one}, other);
    check(all.length == 3 && equal(StrangerHelper.extract(all[0]), list) && equal(StrangerHelper.extract(all[2]), list), "in a sequence");
    check(all[1].extract_long() == 9, "with another between");
    check(other.value.before == 3 && other.value.behind == 44 && equal(StrangerHelper.extract(other.value.inside), list), "in a member");
  }

  /** The same in a struct, where some are shared. */
  private void shared() {
    Stranger last = stranger("last", 1, null);
    Stranger list = stranger("first", 2, stranger("second", 3, last));
    Any shared = orb.create_any();
    StrangersHelper.insert(shared, new Strangers((byte) 1, new Stranger[] {list, last, null, list}, "behind"));
    Strangers back = StrangersHelper.extract(peer.pass(shared));
    check(back.all.length == 4 && equal(back.all[0], list) && equal(back.all[1], last) && back.all[2] == null, "in a struct");
    check(back.all[3] == back.all[0] && back.all[1] == back.all[0].next.next, "what is shared stays so");
    check(back.before == 1 && back.behind.equals("behind"), "and what is around it");
    Any[] all = peer.pass_all(new Any[] {any(8), shared, any(9)}, new HolderHolder(new Holder((byte) 3, shared, 44)));
    check(all[2].extract_long() == 9 && StrangersHelper.extract(all[1]).behind.equals("behind"), "with others around it");
  }

  private static StructMember member(String name, TypeCode type) { return new StructMember(name, type, null); }

  /** TypeCodes that are in another several times, and in several anys of a message: the second may be an indirection. */
  private void repeated() {
    TypeCode number = orb.get_primitive_tc(TCKind.tk_long);
    TypeCode point = orb.create_struct_tc("IDL:Point:1.0", "Point", new StructMember[] {member("x", number), member("y", number)});
    TypeCode points = orb.create_sequence_tc(0, orb.create_alias_tc("IDL:Spot:1.0", "Spot", point));
    TypeCode line = orb.create_struct_tc("IDL:Line:1.0", "Line",
        new StructMember[] {member("from", point), member("to", point), member("more", points), member("others", points)});
    org.omg.CORBA.portable.OutputStream out = orb.create_output_stream();
    int[] numbers = {1, 2, 3, 4, 2, 5, 6, 7, 8, 1, 9, 10};  // two points, then two and one
    for (int n : numbers) out.write_long(n);
    Any sent = orb.create_any();
    sent.read_value(out.create_input_stream(), line);
    HolderHolder other = new HolderHolder(new Holder((byte) 3, sent, 44));
    Any[] all = peer.pass_all(new Any[] {sent, any(9), sent}, other);
    check(all.length == 3 && all[1].extract_long() == 9 && other.value.behind == 44, "what is around them");
    for (Any a : new Any[] {peer.pass(sent), all[0], all[2], other.value.inside}) {
      check(a.type().equal(line), "the type");
      org.omg.CORBA.portable.InputStream in = a.create_input_stream();
      for (int n : numbers) check(in.read_long() == n, "number " + n);
    }
  }

  /** Values in anys in values: JacORB reads them only with their ids. */
  private void nested() {
    for (int depth : new int[] {0, 1, 2, 5, 20}) {
      Any a = peer.nested(depth, 100 + depth);
      for (int i = 0; i < depth; ++i) {
        Tree tree = TreeHelper.extract(a);
        check(tree.name.equals("tree"), "tree " + i);
        a = tree.inside;
      }
      check(LeafHelper.extract(a).number == 100 + depth, "leaf");
      org.omg.CORBA.IntHolder seen = new org.omg.CORBA.IntHolder();
      check(peer.number_in(peer.nested(depth, -depth), seen) == -depth && seen.value == depth, "back");
    }
  }

  private static PackedValue packed(int number, String text) {
    PackedValue p = new PackedValue();
    p.number = number;
    p.text = text;
    return p;
  }

  /** Values that marshal themselves; JacORB sends them without chunks. */
  private void custom() {
    for (String text : new String[] {"", "text", String.join("", java.util.Collections.nCopies(20000, "x"))}) {
      PackedHolder other = new PackedHolder(packed(1, "other"));
      org.omg.CORBA.IntHolder behind = new org.omg.CORBA.IntHolder();
      Packed back = peer.echo_packed(packed(-5, text), other, 4711, behind);
      check(back.number == -5 && back.text.equals(text), "custom");
      check(other.value.number == 2 && other.value.text.equals("other") && behind.value == 4711, "behind it");
    }
    PackedHolder same = new PackedHolder(packed(8, "same"));
    Packed back = peer.echo_packed(same.value, same, 1, new org.omg.CORBA.IntHolder());
    check(back == same.value && back.number == 9, "shared");
  }

  private void customInAny() {
    Any a = orb.create_any();
    PackedHelper.insert(a, packed(3, "any"));
    check(PackedHelper.extract(peer.pass(a)).text.equals("any"), "in an any");
  }

  private void bounded() {
    check(peer.code_of(5).equals("ccccc") && peer.code_of(0).isEmpty(), "as long as it may be");
    for (int length : new int[] {6, 1000}) {
      try {
        peer.code_of(length);
        check(false, "too long");
      } catch (BAD_PARAM e) {
        check(e.completed == CompletionStatus.COMPLETED_YES, "the servant was called");
      }
      check(peer.code_of(1).equals("c"), "and the connection goes on");
    }
  }

  /** Calls of several threads, which JacORB sends over one connection: all must be inside at once. */
  private void parallel() throws Exception {
    final int threads = 4;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    for (int times = 0; times < 3; ++times) {
      List<Callable<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < threads; ++i) calls.add(() -> peer.meet(threads));
      for (Future<Integer> f : pool.invokeAll(calls)) check(f.get() == threads, "calls that are inside at once");
    }
    pool.shutdown();
  }

  /** The reference names no code sets. */
  private void plain() {
    check(peer.echo_string("plain").equals("plain") && peer.echo_string("").isEmpty(), "text");
    check(peer.echo_string("Gr\u00FC\u00DFe").equals("Gr\u00FC\u00DFe"), "ISO 8859-1");
    check(peer.pass(any(5)).extract_long() == 5, "an any");
    Any text = orb.create_any();
    text.insert_string("in an any");
    check(peer.pass(text).extract_string().equals("in an any"), "text in an any");
  }

  private void run(String group) throws Exception {
    switch (group) {
      case "unknown": unknown(); break;
      case "shared": shared(); break;
      case "repeated": repeated(); break;
      case "nested": nested(); break;
      case "custom": custom(); break;
      case "custom_in_any": customInAny(); break;
      case "bounded": bounded(); break;
      case "parallel": parallel(); break;
      case "plain": plain(); break;
      default: check(false, "no such group: " + group);
    }
  }

  public static void main(String[] arguments) {
    try {
      ORB orb = ORB.init(new String[0], mixed.Server.properties(arguments));
      org.omg.CORBA_2_3.ORB values = (org.omg.CORBA_2_3.ORB) orb;
      values.register_value_factory("IDL:Foreign/Leaf:1.0", in -> in.read_value(new LeafValue()));
      values.register_value_factory("IDL:Foreign/Tree:1.0", in -> in.read_value(new TreeValue()));
      values.register_value_factory("IDL:Foreign/Stranger:1.0", in -> in.read_value(new StrangerValue()));
      values.register_value_factory("IDL:Foreign/Packed:1.0", in -> in.read_value(new PackedValue()));
      new Client(orb, PeerHelper.narrow(orb.string_to_object(arguments[0]))).run(arguments[1]);
      orb.shutdown(true);
    } catch (Throwable e) {
      ++failures;
      e.printStackTrace(System.out);
    }
    System.out.println("checks " + checks);
    System.exit(failures == 0 && checks != 0 ? 0 : 1);
  }
}
