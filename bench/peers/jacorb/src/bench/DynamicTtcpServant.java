// SPDX-License-Identifier: Apache-2.0
package bench;

import bench.ttcp_throughputPackage.*;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.omg.CORBA.ARG_IN;
import org.omg.CORBA.ARG_OUT;
import org.omg.CORBA.Any;
import org.omg.CORBA.BAD_OPERATION;
import org.omg.CORBA.LongHolder;
import org.omg.CORBA.NVList;
import org.omg.CORBA.ORB;
import org.omg.CORBA.ServerRequest;
import org.omg.CORBA.TypeCode;
import org.omg.PortableServer.DynamicImplementation;
import org.omg.PortableServer.POA;

/** ttcp_throughput by DSI: takes each buffer out of its any, and counts as TtcpServant does. */
final class DynamicTtcpServant extends DynamicImplementation {
  private static final class Flood {
    final TypeCode type;
    final Consumer<Any> take;

    Flood(TypeCode type, Consumer<Any> take) {
      this.type = type;
      this.take = take;
    }
  }

  private final ORB orb;
  private final TtcpServant counts = new TtcpServant();
  private final Map<String, Flood> floods = new HashMap<>();

  DynamicTtcpServant(ORB orb) {
    this.orb = orb;
    flood("sendShortSeq", ShortSeqHelper.type(), a -> counts.sendShortSeq(ShortSeqHelper.extract(a)));
    flood("sendLongSeq", LongSeqHelper.type(), a -> counts.sendLongSeq(LongSeqHelper.extract(a)));
    flood("sendDoubleSeq", DoubleSeqHelper.type(), a -> counts.sendDoubleSeq(DoubleSeqHelper.extract(a)));
    flood("sendCharSeq", CharSeqHelper.type(), a -> counts.sendCharSeq(CharSeqHelper.extract(a)));
    flood("sendOctetSeq", OctetSeqHelper.type(), a -> counts.sendOctetSeq(OctetSeqHelper.extract(a)));
    flood("sendStructSeq", StructSeqHelper.type(), a -> counts.sendStructSeq(StructSeqHelper.extract(a)));
  }

  private void flood(String operation, TypeCode type, Consumer<Any> take) { floods.put(operation, new Flood(type, take)); }

  @Override public String[] _all_interfaces(POA poa, byte[] id) { return new String[] {"IDL:ttcp_throughput:1.0"}; }

  private Any number(long value) {
    Any made = orb.create_any();
    made.insert_ulonglong(value);
    return made;
  }

  @Override public void invoke(ServerRequest request) {
    if (request.operation().equals("received")) {
      received(request);
      return;
    }
    Flood flood = floods.get(request.operation());
    if (flood == null) throw new BAD_OPERATION(request.operation());
    Any buffer = orb.create_any();
    buffer.type(flood.type);
    NVList list = orb.create_list(1);
    list.add_value("ts", buffer, ARG_IN.value);
    request.arguments(list);
    flood.take.accept(buffer);
  }

  private void received(ServerRequest request) {
    LongHolder arrived = new LongHolder(), nanoseconds = new LongHolder();
    long intact = counts.received(arrived, nanoseconds);
    NVList list = orb.create_list(2);
    list.add_value("arrived", number(arrived.value), ARG_OUT.value);
    list.add_value("nanoseconds", number(nanoseconds.value), ARG_OUT.value);
    request.arguments(list);
    request.set_result(number(intact));
  }
}
