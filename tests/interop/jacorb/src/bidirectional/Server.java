// SPDX-License-Identifier: Apache-2.0
package bidirectional;

import java.util.Properties;
import org.omg.BiDirPolicy.BIDIRECTIONAL_POLICY_TYPE;
import org.omg.BiDirPolicy.BOTH;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import org.omg.PortableServer.Servant;
import bidirectional.BiDirectional.*;

/** JacORB's side of bidirectional.idl. Arguments: properties, NAME=VALUE. Prints its reference; ends when its input does. */
public final class Server {
  static Properties properties(String[] arguments) {
    Properties p = new Properties();
    p.put("OAIAddr", "127.0.0.1");
    for (String a : arguments)
      if (a.contains("=") && a.indexOf('.') > 0) p.put(a.substring(0, a.indexOf('=')), a.substring(a.indexOf('=') + 1));
    return p;
  }

  /** Whether the programs were told to call back over connections of their own. */
  static boolean wantsUsualAdapters(String[] arguments) {
    return java.util.Arrays.asList(arguments).contains("usual.adapters=yes");
  }

  /** An adapter whose objects may be called over connections that this ORB has opened, and whose ORB calls so; usual: one like any other. */
  static POA adapter(ORB orb, boolean usual) throws Exception {
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_POAManager().activate();
    if (usual) return root.create_POA("usual", root.the_POAManager(), new Policy[0]);
    Any both = orb.create_any();
    both.insert_ushort(BOTH.value);
    return root.create_POA("bidirectional", root.the_POAManager(), new Policy[] {orb.create_policy(BIDIRECTIONAL_POLICY_TYPE.value, both)});
  }

  static org.omg.CORBA.Object activate(POA poa, Servant servant) throws Exception {
    return poa.id_to_reference(poa.activate_object(servant));
  }

  static final class CallerServant extends CallerPOA {
    private Listener kept;

    @Override public String call_back(Listener whom, String text) { return whom.heard(text); }
    @Override public String nest(Listener whom, int depth) { return whom.asks(depth - 1); }
    @Override public synchronized void keep(Listener whom) { kept = whom; }
    @Override public void call_later(String text, int times) {
      Listener whom;
      synchronized (this) {
        whom = kept;
      }
      for (int i = 0; i < times; ++i) whom.told(whom.heard(text));
    }
  }

  public static void main(String[] arguments) throws Exception {
    ORB orb = ORB.init(new String[0], properties(arguments));
    System.out.println(orb.object_to_string(activate(adapter(orb, wantsUsualAdapters(arguments)), new CallerServant())));
    System.out.flush();
    while (System.in.read() > 0) {
    }
    orb.shutdown(true);
    System.exit(0);
  }
}
