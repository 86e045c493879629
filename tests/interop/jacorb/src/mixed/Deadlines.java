// SPDX-License-Identifier: Apache-2.0
package mixed;

import org.jacorb.orb.CDRInputStream;
import org.jacorb.orb.CDROutputStream;
import org.jacorb.util.Time;
import org.omg.CORBA.Any;
import org.omg.CORBA.BAD_PARAM;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.LocalObject;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.CORBA.SetOverrideType;
import org.omg.CORBA.TIMEOUT;
import org.omg.IOP.INVOCATION_POLICIES;
import org.omg.IOP.ServiceContext;
import org.omg.Messaging.PolicyValue;
import org.omg.Messaging.PolicyValueSeqHelper;
import org.omg.Messaging.REPLY_END_TIME_POLICY_TYPE;
import org.omg.Messaging.REPLY_START_TIME_POLICY_TYPE;
import org.omg.Messaging.REQUEST_END_TIME_POLICY_TYPE;
import org.omg.Messaging.REQUEST_START_TIME_POLICY_TYPE;
import org.omg.PortableInterceptor.ClientRequestInfo;
import org.omg.PortableInterceptor.ClientRequestInterceptor;
import org.omg.PortableInterceptor.ORBInitInfo;
import org.omg.PortableInterceptor.ORBInitInfoPackage.DuplicateName;
import org.omg.PortableInterceptor.ORBInitializer;
import org.omg.PortableInterceptor.ServerRequestInfo;
import org.omg.PortableInterceptor.ServerRequestInterceptor;
import org.omg.TimeBase.UtcT;
import org.omg.TimeBase.UtcTHelper;
import Mixed.*;

/**
 * Group deadlines of mixed.idl, JacORB's own: its policies of CORBA Messaging, and what its servers read of them. A client as
 * Client is, and the interceptors of both sides.
 */
public final class Deadlines extends LocalObject implements ORBInitializer {
  private static int checks, failures;
  /** Requests say that their time passed in 1582. */
  private static volatile boolean late;

  private static void check(boolean good, String what) {
    ++checks;
    if (good) return;
    ++failures;
    System.out.println("FAILED: " + what + " at " + Thread.currentThread().getStackTrace()[2]);
  }

  private static ServiceContext latePolicies() {
    CDROutputStream out = new CDROutputStream();
    out.beginEncapsulatedArray();
    PolicyValueSeqHelper.write(out, new PolicyValue[] {
        new PolicyValue(REQUEST_END_TIME_POLICY_TYPE.value, Time.toCDR(new UtcT(1, 0, (short) 0, (short) 0)))});
    return new ServiceContext(INVOCATION_POLICIES.value, out.getBufferCopy());
  }
  /** The lower half of the sum of the end times. */
  private static int endTimesIn(ServiceContext c) {
    CDRInputStream in = new CDRInputStream(c.context_data);
    in.openEncapsulatedArray();
    int sum = 0;
    for (PolicyValue p : PolicyValueSeqHelper.read(in))
      if (p.ptype == REQUEST_END_TIME_POLICY_TYPE.value || p.ptype == REPLY_END_TIME_POLICY_TYPE.value)
        sum += (int) Time.fromCDR(p.pvalue).time;
    return sum;
  }

  static final class Late extends LocalObject implements ClientRequestInterceptor {
    @Override public String name() { return "late"; }
    @Override public void destroy() {}
    @Override public void send_request(ClientRequestInfo ri) {
      if (late) ri.add_request_service_context(latePolicies(), false);
    }
    @Override public void send_poll(ClientRequestInfo ri) {}
    @Override public void receive_reply(ClientRequestInfo ri) {}
    @Override public void receive_exception(ClientRequestInfo ri) {}
    @Override public void receive_other(ClientRequestInfo ri) {}
  }

  static final class Reader extends LocalObject implements ServerRequestInterceptor {
    @Override public String name() { return "reader of end times"; }
    @Override public void destroy() {}
    @Override public void receive_request_service_contexts(ServerRequestInfo ri) {
      ServiceContext policies;
      try {
        policies = ri.get_request_service_context(INVOCATION_POLICIES.value);
      } catch (BAD_PARAM e) {
        return;  // there is none
      }
      ri.add_reply_service_context(Interceptors.contextOf(Interceptors.ANSWERED, endTimesIn(policies)), false);
    }
    @Override public void receive_request(ServerRequestInfo ri) {}
    @Override public void send_reply(ServerRequestInfo ri) {}
    @Override public void send_exception(ServerRequestInfo ri) {}
    @Override public void send_other(ServerRequestInfo ri) {}
  }

  @Override public void pre_init(ORBInitInfo info) {
    new Interceptors().pre_init(info);
    try {
      info.add_client_request_interceptor(new Late());
      info.add_server_request_interceptor(new Reader());
    } catch (DuplicateName e) {
      throw new RuntimeException(e);
    }
  }
  @Override public void post_init(ORBInitInfo info) {}

  private static Peer limited(ORB orb, Peer of, int type, long at) throws Exception {
    Any value = orb.create_any();
    UtcTHelper.insert(value, new UtcT(at, 0, (short) 0, (short) 0));
    return PeerHelper.unchecked_narrow(
        of._set_policy_override(new Policy[] {orb.create_policy(type, value)}, SetOverrideType.ADD_OVERRIDE));
  }

  private static void deadlines(ORB orb, Peer peer) throws Exception {
    long now = Time.corbaTime().time, hour = 36_000_000_000L;
    Peer request = limited(orb, peer, REQUEST_END_TIME_POLICY_TYPE.value, now + hour);
    Peer reply = limited(orb, peer, REPLY_END_TIME_POLICY_TYPE.value, now + 2 * hour + 1);
    for (int i = 0; i < 3; ++i) {
      check(request.echo_string("in time").equals("in time") && Interceptors.answered == (int) (now + hour), "RequestEndTime");
      check(reply.echo_string("in time").equals("in time") && Interceptors.answered == (int) (now + 2 * hour + 1), "ReplyEndTime");
      check(peer.echo_string("whenever").equals("whenever") && Interceptors.answered == 0, "no end times");
      late = true;
      try {
        peer.echo_string("too late");
        check(false, "an exception");
      } catch (TIMEOUT e) {
        check(e.minor == (0x4f4d0000 | 2) && e.completed == CompletionStatus.COMPLETED_NO, "TIMEOUT 2 NO");
      }
      late = false;
    }
    for (int type : new int[] {REQUEST_START_TIME_POLICY_TYPE.value, REPLY_START_TIME_POLICY_TYPE.value}) {
      long start = Time.corbaTime().time + 500_000;
      check(limited(orb, peer, type, start).echo_string("held").equals("held") && Time.corbaTime().time >= start,
          "start time " + type);
    }
  }

  public static void main(String[] arguments) {
    try {
      ORB orb = ORB.init(new String[0], Server.properties(arguments));
      deadlines(orb, PeerHelper.narrow(orb.string_to_object(arguments[0])));
      orb.shutdown(true);
    } catch (Throwable e) {
      ++failures;
      e.printStackTrace(System.out);
    }
    System.out.println("checks " + checks);
    System.exit(failures == 0 && checks != 0 ? 0 : 1);
  }
}
