// SPDX-License-Identifier: Apache-2.0
package bench;

import bench.Param_TestPackage.Fixed_Struct;
import bench.Param_TestPackage.Nested_Struct;
import bench.Param_TestPackage.Var_Struct;
import java.util.Arrays;

/** Arguments of Param_Test, elements of ttcp's buffers, and whether they are right; as ../common has them in C++. */
final class Values {
  static final int ELEMENTS = 9;
  private static final byte[] PAD = {1, 2, 3, 4, 5, 6, 7, 8};

  static String text(int seed) {
    StringBuilder s = new StringBuilder();
    for (int i = 0; i < 128; ++i) s.append((char) ('A' + (i * 7 + seed) % 26));
    return s.toString();
  }
  static Fixed_Struct fixed(int seed) { return new Fixed_Struct(seed, 'c', (short) 2, (byte) 3, 4.5f, true, 6.5); }
  static String[] strings(int seed) {
    String[] s = new String[ELEMENTS];
    for (int i = 0; i < ELEMENTS; ++i) s[i] = text(seed + i);
    return s;
  }
  static Var_Struct struct(int seed) { return new Var_Struct(text(seed), text(seed + 1), strings(seed + 2)); }
  static Var_Struct[] structs(int seed) {
    Var_Struct[] s = new Var_Struct[ELEMENTS];
    for (int i = 0; i < ELEMENTS; ++i) s[i] = struct(seed + 10 * i);
    return s;
  }

  static boolean same(Fixed_Struct a, Fixed_Struct b) {
    return a.l == b.l && a.c == b.c && a.s == b.s && a.o == b.o && a.f == b.f && a.b == b.b && a.d == b.d;
  }
  static boolean same(Var_Struct a, Var_Struct b) {
    return a.dummy1.equals(b.dummy1) && a.dummy2.equals(b.dummy2) && Arrays.equals(a.seq, b.seq);
  }
  static boolean same(Nested_Struct a, Nested_Struct b) { return same(a.vs, b.vs); }
  static boolean same(Var_Struct[] a, Var_Struct[] b) {
    if (a.length != b.length) return false;
    for (int i = 0; i < a.length; ++i) if (!same(a[i], b[i])) return false;
    return true;
  }

  static char character(int i) { return (char) (i & 0xff); }
  static BinStruct binary(int i) { return new BinStruct((short) i, 'c', i, (byte) 7, i, PAD.clone()); }
  static boolean isBinary(BinStruct b, int i) {
    return b.s == (short) i && b.c == 'c' && b.l == i && b.o == 7 && b.d == i && Arrays.equals(b.pad, PAD);
  }

  private Values() {}
}
