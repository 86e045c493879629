// SPDX-License-Identifier: Apache-2.0
package bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.omg.CORBA.ORB;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import org.omg.PortableServer.Servant;

/** JacORB: the server of param_test, ttcp, scale and demux. */
public final class Server {
  private final ORB orb;
  private final POA poa;
  private final List<String> references = new ArrayList<>();

  private Server(Options o) throws Exception {
    Properties p = new Properties();
    p.put("OAIAddr", System.getenv().getOrDefault("BENCH_HOST", "127.0.0.1"));
    // One-ways that find a full queue wait; else they would be dropped.
    p.put("jacorb.poa.queue_wait", "on");
    if (!o.suite.equals("scale")) {  // one client: its requests are served in their order
      p.put("jacorb.poa.thread_pool_min", "1");
      p.put("jacorb.poa.thread_pool_max", "1");
    }
    orb = ORB.init(new String[0], p);
    poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
  }

  private void activate(Servant servant) throws Exception {
    references.add(orb.object_to_string(poa.servant_to_reference(servant)));
  }

  private void activateObjects(Options o) throws Exception {
    List<DemuxObject> objects = new ArrayList<>();
    for (int i = 0; i < o.objects; ++i) {
      DemuxObject object = new DemuxObject();
      activate(object);
      objects.add(i == 0 && o.corrupt ? new DemuxObject() : object);  // one that nobody calls is counted
    }
    activate(new DemuxCountServant(objects));
  }

  private void run(Options o) throws Exception {
    switch (o.suite) {
      case "param_test": case "scale": activate(o.dynamic ? new DynamicServant(orb, o.corrupt) : new ParamServant(o.corrupt)); break;
      case "ttcp": activate(o.dynamic ? new DynamicTtcpServant(orb) : new TtcpServant()); break;
      case "demux": activateObjects(o); break;
      default: throw new IllegalArgumentException("this peer has no suite " + o.suite);
    }
    poa.the_POAManager().activate();
    Path unfinished = Path.of(o.reference + ".new");
    Files.write(unfinished, references);
    Files.move(unfinished, Path.of(o.reference), StandardCopyOption.ATOMIC_MOVE);
    System.out.println("ready");
    orb.run();
  }

  public static void main(String[] words) {
    try {
      Options o = Options.parse(words);
      new Server(o).run(o);
    } catch (Exception e) {
      System.err.println("bench: " + e);
      System.exit(1);
    }
  }
}
