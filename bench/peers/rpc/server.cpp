// SPDX-License-Identifier: Apache-2.0
// ONC RPC, rpcgen's skeletons and libtirpc: the server of param_test and ttcp. A procedure without a reply (the
// skeleton is told so by a null result) is one-way.
#include "../common/flood.h"
#include "rpc.h"
#include <cstring>
extern "C" {
void param_test_1(svc_req*, SVCXPRT*);
void ttcp_1(svc_req*, SVCXPRT*);
}

namespace {

bool g_corrupt = false;

// Deep copies made by malloc, so that xdr_free() frees them.
char* copied(const char* s) { return strdup(s); }
template <class T, class Copy>
T* copied_array(const T* from, u_int n, Copy copy) {
  T* to = static_cast<T*>(std::malloc(n * sizeof(T)));
  for (u_int i = 0; i < n; ++i) to[i] = copy(from[i]);
  return to;
}
strseq copied(const strseq& s) {
  return {s.strseq_len, copied_array(s.strseq_val, s.strseq_len, [](str each) { return copied(each); })};
}
var_struct copied(const var_struct& v) { return {copied(v.dummy1), copied(v.dummy2), copied(v.seq)}; }
nested_struct copied(const nested_struct& n) { return {copied(n.vs)}; }
structseq copied(const structseq& s) {
  return {s.structseq_len,
          copied_array(s.structseq_val, s.structseq_len, [](const var_struct& each) { return copied(each); })};
}

// The servant's answer stays until the next call of the procedure.
template <class Reply, class Request>
Reply* answer(xdrproc_t xdr, Reply& r, const Request& q) {
  xdr_free(xdr, &r);
  r.ret = copied(q.s1);
  r.s2 = copied(q.s1);
  r.s3 = copied(q.s1);
  return &r;
}

bench::Tally g_tally;

template <class T>
void* count(const T* all, std::size_t n, std::size_t native_bytes = sizeof(T)) {
  g_tally.add(n * native_bytes, bench::intact(all, n));
  return nullptr;
}
template <class T>
void* count_native(const native& n) {
  return count(reinterpret_cast<const T*>(n.bytes.bytes_val), n.bytes.bytes_len / sizeof(T));
}

}  // namespace

extern "C" {
short_reply* test_short_1_svc(short_request* q, svc_req*) {
  static short_reply r;
  r.ret = r.s2 = q->s1;
  r.s3 = static_cast<short>(q->s1 + g_corrupt);
  return &r;
}
fixed_reply* test_fixed_struct_1_svc(fixed_request* q, svc_req*) {
  static fixed_reply r;
  r.ret = r.s2 = r.s3 = q->s1;
  return &r;
}
#define COPYING(procedure, type)                               \
  type##_reply* procedure(type##_request* q, svc_req*) {       \
    static type##_reply r;                                     \
    return answer((xdrproc_t)xdr_##type##_reply, r, *q);       \
  }
COPYING(test_unbounded_string_1_svc, string)
COPYING(test_strseq_1_svc, strseq)
COPYING(test_var_struct_1_svc, var)
COPYING(test_nested_struct_1_svc, nested)
COPYING(test_struct_sequence_1_svc, structseq)

void* send_short_1_svc(shorts* ts, svc_req*) { return count(ts->shorts_val, ts->shorts_len); }
void* send_char_1_svc(chars* ts, svc_req*) { return count(ts->chars_val, ts->chars_len); }
void* send_long_1_svc(longs* ts, svc_req*) { return count(ts->longs_val, ts->longs_len); }
void* send_octet_1_svc(octets* ts, svc_req*) { return count(ts->octets_val, ts->octets_len); }
void* send_double_1_svc(doubles* ts, svc_req*) { return count(ts->doubles_val, ts->doubles_len); }
void* send_struct_1_svc(structs* ts, svc_req*) { return count(ts->structs_val, ts->structs_len); }
void* send_native_1_svc(native* ts, svc_req*) {
  switch (ts->type) {
    case KIND_SHORT: return count_native<std::int16_t>(*ts);
    case KIND_CHAR: return count_native<char>(*ts);
    case KIND_LONG: return count_native<std::int32_t>(*ts);
    case KIND_OCTET: return count_native<std::uint8_t>(*ts);
    case KIND_DOUBLE: return count_native<double>(*ts);
    case KIND_STRUCT: return count_native<bench::BinStruct>(*ts);
  }
  return nullptr;
}
receipt* barrier_1_svc(void*, svc_req*) {
  static receipt answered;
  const bench::Receipt r = g_tally.take();
  answered = {r.intact, r.arrived, r.ns};
  return &answered;
}
}

static void run(const bench::Options& o) {
  if (o.suite != "param_test" && o.suite != "ttcp") bench::no_such_suite(o);
  g_corrupt = o.corrupt;
  const int listener = bench::tcp::listen_anywhere();
  SVCXPRT* transport = svc_vc_create(listener, kRecordBytes, kRecordBytes);
  bench::expect(transport && svc_register(transport, PARAM_TEST, PARAM_TEST_1, param_test_1, 0) &&
                    svc_register(transport, TTCP, TTCP_1, ttcp_1, 0),
                "the server does not start");
  bench::publish(o, {std::to_string(bench::tcp::port_of(listener))});
  svc_run();
}

int main(int argc, char** argv) { return bench::guarded(argc, argv, run); }
