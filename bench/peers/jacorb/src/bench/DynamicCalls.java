// SPDX-License-Identifier: Apache-2.0
package bench;

import bench.Param_TestPackage.*;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Request;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;

/** param_test without stubs: each request is made anew, by DII. Results are read out of their anys outside of the time. */
final class DynamicCalls {
  private final Options options;
  private final ORB orb;
  private final org.omg.CORBA.Object object;
  private Request request;
  private Any inout, out;
  private short number;

  DynamicCalls(Options options, ORB orb, org.omg.CORBA.Object object) {
    this.options = options;
    this.orb = orb;
    this.object = object;
  }

  /** right: whether an any has what was sent. */
  private void operation(String name, TypeCode type, BiConsumer<Any, Any> insert, Predicate<Any> right) {
    Calls.measure(options, name, () -> {
      request = object._request(name);
      Any in = request.add_in_arg();
      inout = request.add_inout_arg();
      insert.accept(in, inout);
      out = request.add_out_arg();
      out.type(type);
      request.set_return_type(type);
      request.invoke();
      if (request.env().exception() != null) throw new IllegalStateException(request.env().exception());
    }, () -> right.test(request.return_value()) && right.test(inout) && right.test(out));
  }

  void run() {
    operation("test_short", orb.get_primitive_tc(TCKind.tk_short), (a, b) -> {
      a.insert_short(++number);
      b.insert_short((short) 0);
    }, any -> any.extract_short() == number);
    String text = Values.text(1), otherText = Values.text(2);
    operation("test_unbounded_string", orb.get_primitive_tc(TCKind.tk_string), (a, b) -> {
      a.insert_string(text);
      b.insert_string(otherText);
    }, any -> any.extract_string().equals(text));
    Fixed_Struct fixed = Values.fixed(1), otherFixed = Values.fixed(2);
    operation("test_fixed_struct", Fixed_StructHelper.type(), (a, b) -> {
      Fixed_StructHelper.insert(a, fixed);
      Fixed_StructHelper.insert(b, otherFixed);
    }, any -> Values.same(Fixed_StructHelper.extract(any), fixed));
    String[] strings = Values.strings(1), otherStrings = Values.strings(2);
    operation("test_strseq", StrSeqHelper.type(), (a, b) -> {
      StrSeqHelper.insert(a, strings);
      StrSeqHelper.insert(b, otherStrings);
    }, any -> Arrays.equals(StrSeqHelper.extract(any), strings));
    Var_Struct struct = Values.struct(1), otherStruct = Values.struct(2);
    operation("test_var_struct", Var_StructHelper.type(), (a, b) -> {
      Var_StructHelper.insert(a, struct);
      Var_StructHelper.insert(b, otherStruct);
    }, any -> Values.same(Var_StructHelper.extract(any), struct));
    Nested_Struct nested = new Nested_Struct(struct), otherNested = new Nested_Struct(otherStruct);
    operation("test_nested_struct", Nested_StructHelper.type(), (a, b) -> {
      Nested_StructHelper.insert(a, nested);
      Nested_StructHelper.insert(b, otherNested);
    }, any -> Values.same(Nested_StructHelper.extract(any), nested));
    Var_Struct[] structs = Values.structs(1), otherStructs = Values.structs(2);
    operation("test_struct_sequence", StructSeqHelper.type(), (a, b) -> {
      StructSeqHelper.insert(a, structs);
      StructSeqHelper.insert(b, otherStructs);
    }, any -> Values.same(StructSeqHelper.extract(any), structs));
  }
}
