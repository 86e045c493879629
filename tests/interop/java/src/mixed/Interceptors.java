// SPDX-License-Identifier: Apache-2.0
package mixed;

import org.omg.CORBA.BAD_PARAM;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.LocalObject;
import org.omg.CORBA.NO_PERMISSION;
import org.omg.IOP.ServiceContext;
import org.omg.PortableInterceptor.ClientRequestInfo;
import org.omg.PortableInterceptor.ClientRequestInterceptor;
import org.omg.PortableInterceptor.ORBInitInfo;
import org.omg.PortableInterceptor.ORBInitInfoPackage.DuplicateName;
import org.omg.PortableInterceptor.ORBInitializer;
import org.omg.PortableInterceptor.ServerRequestInfo;
import org.omg.PortableInterceptor.ServerRequestInterceptor;

/** programs/mixed/interceptors.h in Java. */
public final class Interceptors extends LocalObject implements ORBInitializer {
  static final int ASKED = 0x4D495851, ANSWERED = 0x4D495852, REFUSED = 13, REFUSED_MINOR = 4712;

  /** What requests carry, 0 for nothing; what the last reply had. */
  static volatile int asks, answered;

  static ServiceContext contextOf(int id, int number) {
    return new ServiceContext(id, new byte[] {0, 0, 0, 0, (byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number});
  }
  static int numberIn(ServiceContext c) {
    byte[] d = c.context_data;
    if (d.length != 8) return 0;
    int n = 0;
    for (int i = 0; i < 4; ++i) n = n << 8 | (d[d[0] != 0 ? 7 - i : 4 + i] & 0xFF);
    return n;
  }

  static final class Asker extends LocalObject implements ClientRequestInterceptor {
    @Override public String name() { return "asker"; }
    @Override public void destroy() {}
    @Override public void send_request(ClientRequestInfo ri) {
      answered = 0;
      if (asks != 0) ri.add_request_service_context(contextOf(ASKED, asks), false);
    }
    @Override public void send_poll(ClientRequestInfo ri) {}
    @Override public void receive_reply(ClientRequestInfo ri) { look(ri); }
    @Override public void receive_exception(ClientRequestInfo ri) { look(ri); }
    @Override public void receive_other(ClientRequestInfo ri) {}
    private static void look(ClientRequestInfo ri) {
      try {
        answered = numberIn(ri.get_reply_service_context(ANSWERED));
      } catch (BAD_PARAM e) {
        answered = 0;
      }
    }
  }

  static final class Answerer extends LocalObject implements ServerRequestInterceptor {
    @Override public String name() { return "answerer"; }
    @Override public void destroy() {}
    private static int asked(ServerRequestInfo ri) {
      try {
        return numberIn(ri.get_request_service_context(ASKED));
      } catch (BAD_PARAM e) {
        return 0;
      }
    }
    @Override public void receive_request_service_contexts(ServerRequestInfo ri) {
      int asked = asked(ri);
      if (asked != 0) ri.add_reply_service_context(contextOf(ANSWERED, asked + 1), false);
    }
    @Override public void receive_request(ServerRequestInfo ri) {
      if (asked(ri) == REFUSED) throw new NO_PERMISSION("refused", REFUSED_MINOR, CompletionStatus.COMPLETED_NO);
    }
    @Override public void send_reply(ServerRequestInfo ri) {}
    @Override public void send_exception(ServerRequestInfo ri) {}
    @Override public void send_other(ServerRequestInfo ri) {}
  }

  @Override public void pre_init(ORBInitInfo info) {
    try {
      info.add_client_request_interceptor(new Asker());
      info.add_server_request_interceptor(new Answerer());
    } catch (DuplicateName e) {
      throw new RuntimeException(e);
    }
  }
  @Override public void post_init(ORBInitInfo info) {}
}
