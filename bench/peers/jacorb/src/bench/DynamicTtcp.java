// SPDX-License-Identifier: Apache-2.0
package bench;

import bench.ttcp_throughputPackage.*;
import java.util.function.Consumer;
import org.omg.CORBA.Any;
import org.omg.CORBA.LongHolder;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Request;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;

/** ttcp_throughput without a stub: each request is made anew, by DII, with the buffer in an any. */
final class DynamicTtcp implements ttcp_throughputOperations {
  private final org.omg.CORBA.Object object;
  private final TypeCode number;

  DynamicTtcp(ORB orb, org.omg.CORBA.Object object) {
    this.object = object;
    number = orb.get_primitive_tc(TCKind.tk_ulonglong);
  }

  private void send(String operation, Consumer<Any> insert) {
    Request request = object._request(operation);
    insert.accept(request.add_in_arg());
    request.send_oneway();
  }

  public void sendShortSeq(short[] ts) { send("sendShortSeq", any -> ShortSeqHelper.insert(any, ts)); }
  public void sendLongSeq(int[] ts) { send("sendLongSeq", any -> LongSeqHelper.insert(any, ts)); }
  public void sendDoubleSeq(double[] ts) { send("sendDoubleSeq", any -> DoubleSeqHelper.insert(any, ts)); }
  public void sendCharSeq(char[] ts) { send("sendCharSeq", any -> CharSeqHelper.insert(any, ts)); }
  public void sendOctetSeq(byte[] ts) { send("sendOctetSeq", any -> OctetSeqHelper.insert(any, ts)); }
  public void sendStructSeq(BinStruct[] ts) { send("sendStructSeq", any -> StructSeqHelper.insert(any, ts)); }

  private Any out(Request request) {
    Any out = request.add_out_arg();
    out.type(number);
    return out;
  }

  public long received(LongHolder arrived, LongHolder nanoseconds) {
    Request request = object._request("received");
    Any all = out(request), time = out(request);
    request.set_return_type(number);
    request.invoke();
    if (request.env().exception() != null) throw new IllegalStateException(request.env().exception());
    arrived.value = all.extract_ulonglong();
    nanoseconds.value = time.extract_ulonglong();
    return request.return_value().extract_ulonglong();
  }
}
