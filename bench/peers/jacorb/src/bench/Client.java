// SPDX-License-Identifier: Apache-2.0
package bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.omg.CORBA.ORB;

/** JacORB: the client of param_test, ttcp, scale and demux. */
public final class Client {
  private static void run(Options o) throws Exception {
    List<String> references = Files.readAllLines(Path.of(o.reference));
    if (o.suite.equals("scale")) {
      new Scale(o, references.get(0)).run();
      return;
    }
    ORB orb = ORB.init(new String[0], new Properties());
    org.omg.CORBA.Object first = orb.string_to_object(references.get(0));
    switch (o.suite) {
      case "param_test":
        if (o.dynamic) new DynamicCalls(o, orb, first).run();
        else new Calls(o, Param_TestHelper.narrow(first)).run();
        break;
      case "ttcp":
        new Floods(o, o.dynamic ? new DynamicTtcp(orb, first) : ttcp_throughputHelper.narrow(first)).run();
        break;
      case "demux": new Demultiplexing(o, orb, references).run(); break;
      default: throw new IllegalArgumentException("this peer has no suite " + o.suite);
    }
  }

  public static void main(String[] words) {
    try {
      run(Options.parse(words));
      System.exit(0);
    } catch (Exception e) {
      System.err.println("bench: " + (e instanceof Results.Wrong ? e.getMessage() : e.toString()));
      System.exit(1);
    }
  }
}
