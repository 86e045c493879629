// SPDX-License-Identifier: Apache-2.0
package bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The command line of both programs; the same as ../common/program.h has for the other peers. */
final class Options {
  String suite;
  String reference;
  int calls = 20_000;
  List<String> operations = List.of();
  long megabytes = 64;
  List<String> types = List.of();
  List<Integer> sizes = new ArrayList<>();
  int clients = 1;
  double seconds = 5;
  int objects = 1;
  boolean corrupt;
  boolean dynamic;  // by DII, or DSI; param_test and ttcp only

  static Options parse(String[] words) {
    Options o = new Options();
    for (int k = 10; k <= 18; ++k) o.sizes.add(1 << k);
    o.sizes.add(1 << 20);
    if (words.length == 0) throw new IllegalArgumentException("no suite is named");
    o.suite = words[0];
    for (int i = 1; i < words.length; ++i) {
      if (words[i].equals("--corrupt")) o.corrupt = true;
      else if (words[i].equals("--dynamic")) o.dynamic = true;
      else if (words[i].equals("--buffered"))
        throw new IllegalArgumentException("JacORB is set up to send each one-way at once");
      else if (i + 1 < words.length) o.set(words[i], words[++i]);
      else throw new IllegalArgumentException("no value for " + words[i]);
    }
    if (o.dynamic && !o.suite.equals("param_test") && !o.suite.equals("ttcp"))
      throw new IllegalArgumentException("by DII there is no suite " + o.suite);
    if (o.reference == null) throw new IllegalArgumentException("--reference is missing");
    return o;
  }

  private void set(String name, String value) {
    switch (name) {
      case "--reference": reference = value; break;
      case "--calls": calls = Integer.parseInt(value); break;
      case "--operations": operations = Arrays.asList(value.split(",")); break;
      case "--megabytes": megabytes = Long.parseLong(value); break;
      case "--types": types = Arrays.asList(value.split(",")); break;
      case "--clients": clients = Integer.parseInt(value); break;
      case "--seconds": seconds = Double.parseDouble(value); break;
      case "--objects": objects = Integer.parseInt(value); break;
      case "--sizes":
        sizes.clear();
        for (String size : value.split(",")) sizes.add(bytes(size));
        break;
      default: throw new IllegalArgumentException("unknown option: " + name);
    }
  }

  private static int bytes(String size) {
    int number = Integer.parseInt(size.substring(0, size.length() - 1));
    switch (size.charAt(size.length() - 1)) {
      case 'K': return number << 10;
      case 'M': return number << 20;
      default: throw new IllegalArgumentException("no such size: " + size);
    }
  }

  static boolean wanted(List<String> list, String name) {
    return list.isEmpty() || list.contains(name);
  }
}
