// SPDX-License-Identifier: Apache-2.0
package whereabouts;

import java.io.BufferedReader;
import java.io.FileWriter;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.omg.CORBA.LocalObject;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.PortableServer.*;
import org.omg.PortableServer.ServantLocatorPackage.CookieHolder;
import Whereabouts.*;

/**
 * JacORB's side of whereabouts.idl: programs/whereabouts/server.cpp says what it understands. Arguments: name, log,
 * properties.
 */
public final class Server {
  private final ORB orb;
  private final String name;
  private final POA root, passing;
  private final PrintWriter log;
  private int resting, woken, done;  // resting, woken: how many so far

  static Properties properties(String[] arguments) {
    Properties p = new Properties();
    for (String a : arguments)
      if (a.contains("=")) p.put(a.substring(0, a.indexOf('=')), a.substring(a.indexOf('=') + 1));
    return p;
  }

  private Server(ORB orb, String name, String log) throws Exception {
    this.orb = orb;
    this.name = name;
    this.log = new PrintWriter(new FileWriter(log, true), true);
    root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_activator(new OnDemand());
    passing = make(root, "passing", LifespanPolicyValue.TRANSIENT, RequestProcessingPolicyValue.USE_ACTIVE_OBJECT_MAP_ONLY,
                   ServantRetentionPolicyValue.RETAIN);
    root.the_POAManager().activate();
  }

  private static synchronized void print(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private final class ThingServant extends ThingPOA {
    private final String id;

    ThingServant(String id) { this.id = id; }
    @Override public String who() { return name + ":" + id; }
    @Override public String rest() {
      synchronized (Server.this) {
        int own = ++resting;
        print("resting");
        try {
          while (woken < own) Server.this.wait();
        } catch (InterruptedException e) {
          throw new org.omg.CORBA.NO_RESOURCES();
        }
      }
      return who();
    }
    @Override public void once(String token) { did(token); }
  }

  private synchronized void did(String token) {
    log.println(token);
    if (++done == 500) print("busy");
  }

  private Servant servantFor(byte[] id) { return new ThingServant(new String(id, StandardCharsets.UTF_8)); }

  private final class Incarnating extends LocalObject implements ServantActivator {
    @Override public Servant incarnate(byte[] id, POA adapter) { return servantFor(id); }
    @Override public void etherealize(byte[] id, POA adapter, Servant servant, boolean cleanup, boolean remaining) {}
  }

  private final class Locating extends LocalObject implements ServantLocator {
    @Override public Servant preinvoke(byte[] id, POA adapter, String operation, CookieHolder cookie) { return servantFor(id); }
    @Override public void postinvoke(byte[] id, POA adapter, String operation, Object cookie, Servant servant) {}
  }

  private final class OnDemand extends LocalObject implements AdapterActivator {
    @Override public boolean unknown_adapter(POA parent, String wanted) {
      try {
        switch (wanted) {
          case "lasting":
            make(parent, wanted, LifespanPolicyValue.PERSISTENT, RequestProcessingPolicyValue.USE_ACTIVE_OBJECT_MAP_ONLY,
                 ServantRetentionPolicyValue.RETAIN).the_activator(this);
            return true;
          case "inner":
            make(parent, wanted, LifespanPolicyValue.PERSISTENT, RequestProcessingPolicyValue.USE_SERVANT_MANAGER,
                 ServantRetentionPolicyValue.RETAIN).set_servant_manager(new Incarnating());
            return true;
          case "located":
            make(parent, wanted, LifespanPolicyValue.PERSISTENT, RequestProcessingPolicyValue.USE_SERVANT_MANAGER,
                 ServantRetentionPolicyValue.NON_RETAIN).set_servant_manager(new Locating());
            return true;
          default: return false;
        }
      } catch (Exception e) {
        print("server: " + e);
        return false;
      }
    }
  }

  private static POA make(POA parent, String name, LifespanPolicyValue life, RequestProcessingPolicyValue processing,
                          ServantRetentionPolicyValue retention) throws Exception {
    return parent.create_POA(name, parent.the_POAManager(), new Policy[] {
        parent.create_lifespan_policy(life), parent.create_id_assignment_policy(IdAssignmentPolicyValue.USER_ID),
        parent.create_request_processing_policy(processing), parent.create_servant_retention_policy(retention)});
  }

  private org.omg.CORBA.Object reference(String adapter, String id) throws Exception {
    byte[] oid = id.getBytes(StandardCharsets.UTF_8);
    if (adapter.equals("passing")) {
      passing.activate_object_with_id(oid, new ThingServant(id));
      return passing.id_to_reference(oid);
    }
    POA poa = root;
    for (String part : adapter.split("/")) poa = poa.find_POA(part, true);
    return poa.create_reference_with_id(oid, ThingHelper.id());
  }

  private void act(String[] words) throws Exception {
    switch (words[0]) {
      case "reference":
        print(orb.object_to_string(reference(words[1], words[2])));
        return;
      case "forward":
        Forwarding.moved.put(words[1], orb.string_to_object(words[2]));
        break;
      case "settle":
        Forwarding.moved.remove(words[1]);
        break;
      case "wake":
        synchronized (this) {
          ++woken;
          notifyAll();
        }
        break;
      default:
        print("what is " + words[0] + "?");
        return;
    }
    print("ok");
  }

  public static void main(String[] arguments) throws Exception {
    Properties told = properties(arguments);
    told.put("org.omg.PortableInterceptor.ORBInitializerClass.whereabouts.Forwarding", "");
    ORB orb = ORB.init(new String[0], told);
    Server server = new Server(orb, arguments[0], arguments[1]);
    print("ready");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null;) server.act(line.split(" "));
    orb.shutdown(true);
    System.exit(0);
  }
}
