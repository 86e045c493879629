// SPDX-License-Identifier: Apache-2.0
package bench;

import org.omg.CORBA.LongHolder;

/** Counts what arrives, and what of it is as it was sent. The adapter has one thread (Server). */
final class TtcpServant extends ttcp_throughputPOA {
  private long arrived, intact, first, last;

  private void add(long bytes, boolean right) {
    last = System.nanoTime();
    if (arrived == 0) first = last;
    arrived += bytes;
    if (right) intact += bytes;
  }

  public void sendShortSeq(short[] ts) {
    int n = ts.length;
    add(n * 2L, n != 0 && ts[0] == 0 && ts[n - 1] == (short) (n - 1));
  }
  public void sendLongSeq(int[] ts) {
    int n = ts.length;
    add(n * 4L, n != 0 && ts[0] == 0 && ts[n - 1] == n - 1);
  }
  public void sendDoubleSeq(double[] ts) {
    int n = ts.length;
    add(n * 8L, n != 0 && ts[0] == 0 && ts[n - 1] == n - 1);
  }
  public void sendCharSeq(char[] ts) {
    int n = ts.length;
    add(n, n != 0 && ts[0] == 0 && ts[n - 1] == Values.character(n - 1));
  }
  public void sendOctetSeq(byte[] ts) {
    int n = ts.length;
    add(n, n != 0 && ts[0] == 0 && ts[n - 1] == (byte) (n - 1));
  }
  public void sendStructSeq(BinStruct[] ts) {
    int n = ts.length;
    add(n * 32L, n != 0 && Values.isBinary(ts[0], 0) && Values.isBinary(ts[n - 1], n - 1));
  }

  public long received(LongHolder all, LongHolder nanoseconds) {
    long right = intact;
    all.value = arrived;
    nanoseconds.value = last - first;
    arrived = intact = 0;
    return right;
  }
}
