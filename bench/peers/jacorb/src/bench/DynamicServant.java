// SPDX-License-Identifier: Apache-2.0
package bench;

import bench.Param_TestPackage.*;
import java.util.HashMap;
import java.util.Map;
import org.omg.CORBA.ARG_IN;
import org.omg.CORBA.ARG_INOUT;
import org.omg.CORBA.ARG_OUT;
import org.omg.CORBA.Any;
import org.omg.CORBA.BAD_OPERATION;
import org.omg.CORBA.NVList;
import org.omg.CORBA.ORB;
import org.omg.CORBA.ServerRequest;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;
import org.omg.PortableServer.DynamicImplementation;
import org.omg.PortableServer.POA;

/** Param_Test by DSI: `in` goes back as inout, out and result. The any of `in` is that of out and of the result: no copy. */
final class DynamicServant extends DynamicImplementation {
  private final ORB orb;
  private final boolean corrupt;
  private final Map<String, TypeCode> types = new HashMap<>();

  DynamicServant(ORB orb, boolean corrupt) {
    this.orb = orb;
    this.corrupt = corrupt;
    types.put("test_short", orb.get_primitive_tc(TCKind.tk_short));
    types.put("test_unbounded_string", orb.get_primitive_tc(TCKind.tk_string));
    types.put("test_fixed_struct", Fixed_StructHelper.type());
    types.put("test_strseq", StrSeqHelper.type());
    types.put("test_var_struct", Var_StructHelper.type());
    types.put("test_nested_struct", Nested_StructHelper.type());
    types.put("test_struct_sequence", StructSeqHelper.type());
  }

  @Override public String[] _all_interfaces(POA poa, byte[] id) { return new String[] {"IDL:Param_Test:1.0"}; }

  private Any any(TypeCode type) {
    Any made = orb.create_any();
    made.type(type);
    return made;
  }

  @Override public void invoke(ServerRequest request) {
    TypeCode type = types.get(request.operation());
    if (type == null) throw new BAD_OPERATION(request.operation());
    Any in = any(type), inout = any(type);
    NVList list = orb.create_list(3);
    list.add_value("s1", in, ARG_IN.value);
    list.add_value("s2", inout, ARG_INOUT.value);
    list.add_value("s3", in, ARG_OUT.value);
    request.arguments(list);
    if (!corrupt) inout.read_value(in.create_input_stream(), type);
    request.set_result(in);
  }
}
