// SPDX-License-Identifier: Apache-2.0
package bench;

import bench.Param_TestPackage.*;
import org.omg.CORBA.ShortHolder;
import org.omg.CORBA.StringHolder;

/** Copies `in` to inout, out and result. Strings are immutable in Java: a copy of one is the string itself. */
final class ParamServant extends Param_TestPOA {
  private final boolean corrupt;

  ParamServant(boolean corrupt) { this.corrupt = corrupt; }

  private static Fixed_Struct copy(Fixed_Struct s) { return new Fixed_Struct(s.l, s.c, s.s, s.o, s.f, s.b, s.d); }
  private static Var_Struct copy(Var_Struct s) { return new Var_Struct(s.dummy1, s.dummy2, s.seq.clone()); }
  private static Nested_Struct copy(Nested_Struct s) { return new Nested_Struct(copy(s.vs)); }
  private static Var_Struct[] copy(Var_Struct[] s) {
    Var_Struct[] r = new Var_Struct[s.length];
    for (int i = 0; i < r.length; ++i) r[i] = copy(s[i]);
    return r;
  }

  public short test_short(short s1, ShortHolder s2, ShortHolder s3) {
    s2.value = s1;
    s3.value = (short) (corrupt ? s1 + 1 : s1);
    return s1;
  }
  public String test_unbounded_string(String s1, StringHolder s2, StringHolder s3) {
    s2.value = s1;
    s3.value = s1;
    return s1;
  }
  public Fixed_Struct test_fixed_struct(Fixed_Struct s1, Fixed_StructHolder s2, Fixed_StructHolder s3) {
    s2.value = copy(s1);
    s3.value = copy(s1);
    return copy(s1);
  }
  public String[] test_strseq(String[] s1, StrSeqHolder s2, StrSeqHolder s3) {
    s2.value = s1.clone();
    s3.value = s1.clone();
    return s1.clone();
  }
  public Var_Struct test_var_struct(Var_Struct s1, Var_StructHolder s2, Var_StructHolder s3) {
    s2.value = copy(s1);
    s3.value = copy(s1);
    return copy(s1);
  }
  public Nested_Struct test_nested_struct(Nested_Struct s1, Nested_StructHolder s2, Nested_StructHolder s3) {
    s2.value = copy(s1);
    s3.value = copy(s1);
    return copy(s1);
  }
  public Var_Struct[] test_struct_sequence(Var_Struct[] s1, StructSeqHolder s2, StructSeqHolder s3) {
    s2.value = copy(s1);
    s3.value = copy(s1);
    return copy(s1);
  }
}
