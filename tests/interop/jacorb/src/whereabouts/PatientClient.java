// SPDX-License-Identifier: Apache-2.0
package whereabouts;

import org.jacorb.orb.policies.RelativeRoundtripTimeoutPolicy;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.CORBA.SetOverrideType;
import Whereabouts.*;

/** The client with deadlines, which JacORB has. */
public final class PatientClient extends Client {
  private PatientClient(ORB orb) { super(orb); }

  @Override protected String act(String verb, String name, String more) {
    if (!verb.equals("patience")) return super.act(verb, name, more);
    Policy limit = new RelativeRoundtripTimeoutPolicy(Long.parseLong(more) * 10000);
    org.omg.CORBA.Object limited = things.get(name)._set_policy_override(new Policy[] {limit}, SetOverrideType.ADD_OVERRIDE);
    things.put(name, ThingHelper.unchecked_narrow(limited));
    return "ok";
  }

  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(new String[0], Server.properties(arguments));
    run(orb, new PatientClient(orb));
  }
}
