// SPDX-License-Identifier: Apache-2.0
package mixed;

import org.omg.CORBA.Any;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.NO_PERMISSION;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Request;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;
import org.omg.CORBA.UnknownUserException;
import org.omg.DynamicAny.DynAnyFactory;
import org.omg.DynamicAny.DynAnyFactoryHelper;
import org.omg.DynamicAny.DynSequence;
import org.omg.DynamicAny.DynSequenceHelper;
import org.omg.DynamicAny.DynStruct;
import org.omg.DynamicAny.DynStructHelper;
import org.omg.DynamicAny.DynUnion;
import org.omg.DynamicAny.DynUnionHelper;
import org.omg.DynamicAny.NameValuePair;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import Mixed.*;

/**
 * JacORB's client of mixed.idl without stubs: requests by DII, values by DynAny. IOR GROUP and properties, as of Client. Prints
 * the failures, then `checks N`.
 */
public final class DynamicClient {
  private static int checks, failures;

  private static void check(boolean good, String what) {
    ++checks;
    if (good) return;
    ++failures;
    System.out.println("FAILED: " + what + " at " + Thread.currentThread().getStackTrace()[2]);
  }

  private final ORB orb;
  private final org.omg.CORBA.Object peer;

  private DynamicClient(ORB orb, org.omg.CORBA.Object peer) {
    this.orb = orb;
    this.peer = peer;
  }

  private Request request(String operation, TypeCode result) {
    Request r = peer._request(operation);
    r.set_return_type(result);
    return r;
  }

  // Runs it; a system exception is raised, another one given back.
  private static Exception invoked(Request r) throws Exception {
    r.invoke();
    Exception e = r.env().exception();
    if (e instanceof org.omg.CORBA.SystemException) throw e;
    return e;
  }

  private Any echoed(Any value) throws Exception {
    Request r = request("echo_any", orb.get_primitive_tc(TCKind.tk_any));
    r.add_in_arg().insert_any(value);
    check(invoked(r) == null, "echo_any");
    return r.return_value().extract_any();
  }

  private void items() throws Exception {
    for (int n = 0; n < 3; ++n) {
      Item[] more = new Item[n];
      for (int i = 0; i < n; ++i) more[i] = Client.item("more", i);
      Request r = request("echo_item", ItemHelper.type());
      ItemHelper.insert(r.add_in_arg(), Client.item("one", 5));
      Any inout = r.add_inout_arg();
      ItemsHelper.insert(inout, more);
      Any names = r.add_out_arg();
      names.type(StringsHelper.type());
      check(invoked(r) == null, "echo_item");
      check(Client.equal(ItemHelper.extract(r.return_value()), Client.item("one", 5)), "the result");
      Item[] longer = ItemsHelper.extract(inout);
      check(longer.length == n + 1 && Client.equal(longer[n], Client.item("one", 5)), "more");
      String[] all = StringsHelper.extract(names);
      check(all.length == n + 1 && all[0].equals("one"), "names");
    }
  }

  // Taken apart, changed and sent again. A change of one of JacORB's components is none of what the component is a part of.
  private void structs(DynAnyFactory factory) throws Exception {
    Any any = orb.create_any();
    ItemHelper.insert(any, Client.item("in an any", 2));
    DynStruct item = DynStructHelper.narrow(factory.create_dyn_any(echoed(any)));
    check(item.component_count() == 10 && item.current_member_name().equals("name"), "members");
    check(item.current_component().get_string().equals("in an any"), "name");
    item.seek(2);
    DynStruct at = DynStructHelper.narrow(item.current_component());
    at.seek(1);
    check(at.current_component().get_long() == 200000, "at.y");
    item.seek(9);
    check(DynSequenceHelper.narrow(item.current_component()).get_length() == 2, "bytes");
    NameValuePair[] members = item.get_members();
    members[0].value.insert_string("changed");
    PointHelper.insert(members[2].value, new Point((short) 1, -7, 0.5));
    OctetsHelper.insert(members[9].value, new byte[] {1, 2, 42});
    item.set_members(members);
    Item back = ItemHelper.extract(echoed(item.to_any()));
    check(back.name.equals("changed") && back.at.y == -7 && back.bytes.length == 3 && back.bytes[2] == 42, "what was changed");
    item.destroy();
  }

  private void unions(DynAnyFactory factory) throws Exception {
    Any[] elements = {orb.create_any(), orb.create_any()};
    Choice number = new Choice(), text = new Choice();
    number.number(-7);
    text.text("union");
    ChoiceHelper.insert(elements[0], number);
    ChoiceHelper.insert(elements[1], text);
    DynSequence some = DynSequenceHelper.narrow(factory.create_dyn_any_from_type_code(ChoicesHelper.type()));
    some.set_elements(elements);
    Request r = request("echo_choices", ChoicesHelper.type());
    r.add_in_arg().read_value(some.to_any().create_input_stream(), ChoicesHelper.type());
    check(invoked(r) == null, "echo_choices");
    DynSequence back = DynSequenceHelper.narrow(factory.create_dyn_any(r.return_value()));
    check(back.equal(some) && back.get_length() == 2, "the same choices");
    DynUnion second = DynUnionHelper.narrow(back.get_elements_as_dyn_any()[1]);
    check(second.member_name().equals("text") && second.member().get_string().equals("union"), "the second choice");
  }

  private void types() throws Exception {
    DynAnyFactory factory = DynAnyFactoryHelper.narrow(orb.resolve_initial_references("DynAnyFactory"));
    items();
    structs(factory);
    unions(factory);
  }

  private void exceptions() throws Exception {
    Request r = request("refuse", orb.get_primitive_tc(TCKind.tk_void));
    r.add_in_arg().insert_string("because");
    r.add_in_arg().insert_long(-3);
    r.exceptions().add(RefusedHelper.type());
    Exception e = invoked(r);
    check(e instanceof UnknownUserException, "a user exception " + e);
    if (e instanceof UnknownUserException) {
      Refused refused = RefusedHelper.extract(((UnknownUserException) e).except);
      check(refused.why.equals("because") && refused.code == -3, "Refused");
    }
    try {
      invoked(request("fail", orb.get_primitive_tc(TCKind.tk_void)));
      check(false, "an exception");
    } catch (NO_PERMISSION no) {
      check(no.minor == 4711 && no.completed == CompletionStatus.COMPLETED_YES, "NO_PERMISSION");
    }
  }

  private int notes() throws Exception {
    Request r = request("notes", StringsHelper.type());
    check(invoked(r) == null, "notes");
    return StringsHelper.extract(r.return_value()).length;
  }

  // Oneway, and deferred: several on their way at once, fetched in another order.
  private void laterOnes() throws Exception {
    for (String s : new String[] {"one", "two", "three"}) {
      Request r = peer._request("note");
      r.add_in_arg().insert_string(s);
      r.send_oneway();
    }
    int n = 0;
    for (int tries = 0; tries < 2000 && n < 3; ++tries) n = notes();
    check(n == 3, "three notes");
    Request[] sent = new Request[5];
    for (int i = 0; i < sent.length; ++i) {
      sent[i] = request("echo_string", orb.get_primitive_tc(TCKind.tk_string));
      sent[i].add_in_arg().insert_string("deferred " + i);
      sent[i].send_deferred();
    }
    for (int i = sent.length; i-- != 0;) {
      sent[i].get_response();
      check(sent[i].return_value().extract_string().equals("deferred " + i), "deferred " + i);
    }
  }

  private void references() throws Exception {
    Request r = request("itself", PeerHelper.type());
    check(invoked(r) == null, "itself");
    org.omg.CORBA.Object itself = r.return_value().extract_Object();
    check(itself._is_a("IDL:Mixed/Peer:1.0") && !itself._is_a("IDL:Mixed/Listener:1.0") && !itself._non_existent(), "_is_a");
    r = request("is_you", orb.get_primitive_tc(TCKind.tk_boolean));
    r.add_in_arg().insert_Object(itself, PeerHelper.type());
    check(invoked(r) == null && r.return_value().extract_boolean(), "is_you");
    POA poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    poa.the_POAManager().activate();
    Client.ListenerServant servant = new Client.ListenerServant();
    r = request("call_back", orb.get_primitive_tc(TCKind.tk_void));
    r.add_in_arg().insert_Object(poa.servant_to_reference(servant), ListenerHelper.type());
    r.add_in_arg().insert_string("back");
    r.add_in_arg().insert_long(20);
    check(invoked(r) == null && servant.calls == 20 && servant.right, "call_back");
  }

  public static void main(String[] arguments) {
    try {
      ORB orb = ORB.init(new String[0], Server.properties(arguments));
      DynamicClient c = new DynamicClient(orb, orb.string_to_object(arguments[0]));
      if (arguments[1].equals("types")) c.types();
      if (arguments[1].equals("calls")) {
        c.exceptions();
        c.laterOnes();
        c.references();
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
