// SPDX-License-Identifier: Apache-2.0
package mixed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.omg.CORBA.ARG_IN;
import org.omg.CORBA.ARG_INOUT;
import org.omg.CORBA.ARG_OUT;
import org.omg.CORBA.Any;
import org.omg.CORBA.BAD_OPERATION;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.NO_PERMISSION;
import org.omg.CORBA.NVList;
import org.omg.CORBA.ORB;
import org.omg.CORBA.ServerRequest;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;
import org.omg.PortableServer.DynamicImplementation;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import Mixed.*;

/** JacORB's server of mixed.idl without a skeleton, by DSI: groups types and calls. Arguments and end as of Server. */
public final class DynamicServer extends DynamicImplementation {
  private final ORB orb;
  private final List<String> notes = new ArrayList<>();

  private DynamicServer(ORB orb) { this.orb = orb; }

  @Override public String[] _all_interfaces(POA poa, byte[] id) { return new String[] {"IDL:Mixed/Peer:1.0"}; }

  private Any of(TypeCode type) {
    Any a = orb.create_any();
    a.type(type);
    return a;
  }
  private Any of(TCKind kind) { return of(orb.get_primitive_tc(kind)); }

  // The request's arguments, all `in`.
  private Any[] in(ServerRequest r, Any... arguments) {
    NVList list = orb.create_list(arguments.length);
    for (Any a : arguments) list.add_value("", a, ARG_IN.value);
    r.arguments(list);
    return arguments;
  }

  private void echo(ServerRequest r, TypeCode type) { r.set_result(in(r, of(type))[0]); }

  private void echoItem(ServerRequest r) throws Exception {
    Any one = of(ItemHelper.type()), more = of(ItemsHelper.type()), names = of(StringsHelper.type());
    NVList list = orb.create_list(3);
    list.add_value("one", one, ARG_IN.value);
    list.add_value("more", more, ARG_INOUT.value);
    list.add_value("names", names, ARG_OUT.value);
    r.arguments(list);
    Item item = ItemHelper.extract(one);
    List<Item> items = new ArrayList<>(Arrays.asList(ItemsHelper.extract(list.item(1).value())));
    List<String> all = new ArrayList<>();
    all.add(item.name);
    for (Item i : items) all.add(i.name);
    items.add(item);
    ItemsHelper.insert(list.item(1).value(), items.toArray(new Item[0]));
    StringsHelper.insert(list.item(2).value(), all.toArray(new String[0]));
    r.set_result(one);
  }

  private void refuse(ServerRequest r) {
    Any[] in = in(r, of(TCKind.tk_string), of(TCKind.tk_long));
    Any e = orb.create_any();
    RefusedHelper.insert(e, new Refused(in[0].extract_string(), in[1].extract_long()));
    r.set_exception(e);
  }

  private void callBack(ServerRequest r) {
    Any[] in = in(r, of(ListenerHelper.type()), of(TCKind.tk_string), of(TCKind.tk_long));
    Listener whom = ListenerHelper.narrow(in[0].extract_Object());
    for (int i = 0; i < in[2].extract_long(); ++i) whom.heard(in[1].extract_string(), i);
    r.set_result(of(TCKind.tk_void));
  }

  private synchronized void note(ServerRequest r) { notes.add(in(r, of(TCKind.tk_string))[0].extract_string()); }

  private synchronized void tellNotes(ServerRequest r) {
    in(r);
    Any all = orb.create_any();
    StringsHelper.insert(all, notes.toArray(new String[0]));
    r.set_result(all);
  }

  private void isYou(ServerRequest r) {
    org.omg.CORBA.Object other = in(r, of(PeerHelper.type()))[0].extract_Object();
    Any answer = orb.create_any();
    answer.insert_boolean(other != null && _this_object()._is_equivalent(other));
    r.set_result(answer);
  }

  @Override public void invoke(ServerRequest r) {
    try {
      switch (r.operation()) {
        case "echo_string": echo(r, orb.get_primitive_tc(TCKind.tk_string)); break;
        case "echo_any": echo(r, orb.get_primitive_tc(TCKind.tk_any)); break;
        case "echo_choices": echo(r, ChoicesHelper.type()); break;
        case "echo_item": echoItem(r); break;
        case "refuse": refuse(r); break;
        case "fail":
          in(r);
          throw new NO_PERMISSION("caf\u00e9 is closed", 4711, CompletionStatus.COMPLETED_YES);
        case "note": note(r); break;
        case "notes": tellNotes(r); break;
        case "call_back": callBack(r); break;
        case "itself": {
          in(r);
          Any itself = orb.create_any();
          itself.insert_Object(_this_object(), PeerHelper.type());
          r.set_result(itself);
          break;
        }
        case "is_you": isYou(r); break;
        default: throw new BAD_OPERATION(r.operation());
      }
    } catch (org.omg.CORBA.SystemException e) {
      throw e;
    } catch (Exception e) {
      throw new org.omg.CORBA.UNKNOWN(e.toString());
    }
  }

  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(new String[0], Server.properties(arguments));
    POA poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    poa.the_POAManager().activate();
    System.out.println(orb.object_to_string(poa.servant_to_reference(new DynamicServer(orb))));
    System.out.flush();
    while (System.in.read() > 0) {
    }
    orb.shutdown(false);  // where it may wait Yoko takes a second
    System.exit(0);
  }
}
