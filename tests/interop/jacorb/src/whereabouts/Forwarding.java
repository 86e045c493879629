// SPDX-License-Identifier: Apache-2.0
package whereabouts;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.omg.CORBA.LocalObject;
import org.omg.PortableInterceptor.ForwardRequest;
import org.omg.PortableInterceptor.ORBInitInfo;
import org.omg.PortableInterceptor.ORBInitInfoPackage.DuplicateName;
import org.omg.PortableInterceptor.ORBInitializer;
import org.omg.PortableInterceptor.ServerRequestInfo;
import org.omg.PortableInterceptor.ServerRequestInterceptor;

/** Answers requests for objects that have moved. An interceptor: after a servant manager's ForwardRequest JacORB answers nothing. */
public final class Forwarding extends LocalObject implements ORBInitializer, ServerRequestInterceptor {
  static final Map<String, org.omg.CORBA.Object> moved = new ConcurrentHashMap<>();

  @Override public String name() { return "forwarding"; }
  @Override public void destroy() {}
  @Override public void receive_request_service_contexts(ServerRequestInfo ri) {}
  @Override public void receive_request(ServerRequestInfo ri) throws ForwardRequest {
    org.omg.CORBA.Object to = moved.get(new String(ri.object_id(), StandardCharsets.UTF_8));
    if (to != null) throw new ForwardRequest(to);
  }
  @Override public void send_reply(ServerRequestInfo ri) {}
  @Override public void send_exception(ServerRequestInfo ri) {}
  @Override public void send_other(ServerRequestInfo ri) {}

  @Override public void pre_init(ORBInitInfo info) {
    try {
      info.add_server_request_interceptor(this);
    } catch (DuplicateName e) {
      throw new RuntimeException(e);
    }
  }
  @Override public void post_init(ORBInitInfo info) {}
}
