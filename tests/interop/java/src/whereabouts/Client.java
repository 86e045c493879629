// SPDX-License-Identifier: Apache-2.0
package whereabouts;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.ORB;
import org.omg.CORBA.SystemException;
import Whereabouts.*;

/** Client of whereabouts.idl in Java; programs/whereabouts/client.cpp says what it understands. Arguments: properties. */
public class Client {
  private final ORB orb;
  protected final Map<String, Thing> things = new HashMap<>();

  protected Client(ORB orb) { this.orb = orb; }

  protected String act(String verb, String name, String more) {
    Thing thing = things.get(name);
    switch (verb) {
      case "refer":
        things.put(name, ThingHelper.unchecked_narrow(orb.string_to_object(more)));
        return "ok";
      case "who": return "said " + thing.who();
      case "rest": return "said " + thing.rest();
      case "gone": return "said " + thing._non_existent();
      case "locate":
        thing._non_existent();
        return "ok";
      default: return "what is " + verb + "?";
    }
  }

  private String answer(String line) {
    String[] words = (line + " - -").split(" ");
    try {
      return act(words[0], words[1], words[2]);
    } catch (SystemException e) {
      String completed = e.completed == CompletionStatus.COMPLETED_YES ? "YES"
          : e.completed == CompletionStatus.COMPLETED_NO ? "NO" : "MAYBE";
      return "raised " + e.getClass().getSimpleName() + " 0x" + Integer.toHexString(e.minor) + " " + completed;
    }
  }

  protected static void run(ORB orb, Client client) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null;) {
      System.out.println(client.answer(line));
      System.out.flush();
    }
    orb.shutdown(true);
    System.exit(0);
  }

  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(new String[0], mixed.Server.properties(arguments));
    run(orb, new Client(orb));
  }
}
