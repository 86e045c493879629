// SPDX-License-Identifier: Apache-2.0
package bench;

import bench.Param_TestPackage.*;
import java.util.Arrays;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import org.omg.CORBA.ShortHolder;
import org.omg.CORBA.StringHolder;

/** param_test. Every call is checked, outside of its time. */
final class Calls {
  private static final int WARM = 20_000;  // until the virtual machine's compilers have done their work

  private final Options options;
  private final Param_Test object;

  Calls(Options options, Param_Test object) {
    this.options = options;
    this.object = object;
  }

  private void operation(String name, Runnable call, BooleanSupplier check) { measure(options, name, call, check); }

  static void measure(Options options, String name, Runnable call, BooleanSupplier check) {
    if (!Options.wanted(options.operations, name)) return;
    int divisor = name.equals("test_struct_sequence") ? 10 : 1;
    int calls = Math.max(1, options.calls / divisor), warm = Math.min(WARM, options.calls) / divisor;
    long[] ns = new long[calls];
    for (int i = -warm; i < calls; ++i) {
      long start = System.nanoTime();
      call.run();
      long took = System.nanoTime() - start;
      Results.expect(check.getAsBoolean(), name);
      if (i >= 0) ns[i] = took;
    }
    Results.latencies(name, ns);
  }

  void run() {
    scalars();
    structures();
  }

  private short number, result;
  private String stringResult;

  private void scalars() {
    ShortHolder n2 = new ShortHolder(), n3 = new ShortHolder();
    operation("test_short", () -> result = object.test_short(++number, n2, n3),
              () -> result == number && n2.value == number && n3.value == number);
    String s1 = Values.text(1), other = Values.text(2);
    StringHolder s2 = new StringHolder(other), s3 = new StringHolder();
    operation("test_unbounded_string", () -> stringResult = object.test_unbounded_string(s1, s2, s3), () -> {
      boolean right = s1.equals(stringResult) && s1.equals(s2.value) && s1.equals(s3.value);
      s2.value = other;
      s3.value = stringResult = null;
      return right;
    });
    Fixed_StructHolder f2 = new Fixed_StructHolder(), f3 = new Fixed_StructHolder();
    Results3<Fixed_Struct> f = new Results3<>(Values.fixed(1), Values.fixed(2), Values::same);
    operation("test_fixed_struct", () -> {
      f2.value = f.other;
      f.set(object.test_fixed_struct(f.s1, f2, f3), f2.value, f3.value);
    }, f::right);
  }

  /** An argument, what is sent as inout, and the last results. */
  private static final class Results3<T> {
    final T s1, other;
    private final BiPredicate<T, T> same;
    private T r, s2, s3;

    Results3(T s1, T other, BiPredicate<T, T> same) {
      this.s1 = s1;
      this.other = other;
      this.same = same;
    }
    void set(T result, T inout, T out) {
      r = result;
      s2 = inout;
      s3 = out;
    }
    /** Afterwards they are forgotten. */
    boolean right() {
      boolean right = same.test(r, s1) && same.test(s2, s1) && same.test(s3, s1);
      r = s2 = s3 = null;
      return right;
    }
  }

  private void structures() {
    StrSeqHolder s2 = new StrSeqHolder(), s3 = new StrSeqHolder();
    Results3<String[]> s = new Results3<>(Values.strings(1), Values.strings(2), Arrays::equals);
    operation("test_strseq", () -> {
      s2.value = s.other;
      s.set(object.test_strseq(s.s1, s2, s3), s2.value, s3.value);
    }, s::right);
    Var_StructHolder v2 = new Var_StructHolder(), v3 = new Var_StructHolder();
    Results3<Var_Struct> v = new Results3<>(Values.struct(1), Values.struct(2), Values::same);
    operation("test_var_struct", () -> {
      v2.value = v.other;
      v.set(object.test_var_struct(v.s1, v2, v3), v2.value, v3.value);
    }, v::right);
    Nested_StructHolder n2 = new Nested_StructHolder(), n3 = new Nested_StructHolder();
    Results3<Nested_Struct> n = new Results3<>(new Nested_Struct(Values.struct(1)),
                                               new Nested_Struct(Values.struct(2)), Values::same);
    operation("test_nested_struct", () -> {
      n2.value = n.other;
      n.set(object.test_nested_struct(n.s1, n2, n3), n2.value, n3.value);
    }, n::right);
    StructSeqHolder q2 = new StructSeqHolder(), q3 = new StructSeqHolder();
    Results3<Var_Struct[]> q = new Results3<>(Values.structs(1), Values.structs(2), Values::same);
    operation("test_struct_sequence", () -> {
      q2.value = q.other;
      q.set(object.test_struct_sequence(q.s1, q2, q3), q2.value, q3.value);
    }, q::right);
  }
}
