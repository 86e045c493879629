// SPDX-License-Identifier: Apache-2.0
// ONC RPC, rpcgen's stubs and libtirpc: the client of param_test and ttcp. --opaque is the hand-optimised form: all
// types travel as opaque bytes in native order. --buffered: records stay in the buffer of 64 KB until it is full.
#include "../common/flood.h"
#include "../common/latency.h"
#include "../common/text.h"
#include "rpc.h"
#include <cstring>
#include <list>

namespace {

using namespace bench;

CLIENT* connected(const Options& o, unsigned long program, unsigned long version) {
  int fd = tcp::connect_to(o);
  sockaddr_in server = tcp::address_of(static_cast<std::uint16_t>(std::stoi(read_reference(o)[0])));
  CLIENT* client = clnttcp_create(&server, program, version, &fd, kRecordBytes, kRecordBytes);
  expect(client != nullptr, "clnttcp_create");
  return client;
}

// Arguments; they live as long as this.
class Values {
 public:
  char* string(unsigned seed) { return strings_.emplace_back(text(seed)).data(); }
  strseq sequence(unsigned seed) {
    auto& all = sequences_.emplace_back();
    for (unsigned i = 0; i < kElements; ++i) all.push_back(string(seed + i));
    return {kElements, all.data()};
  }
  var_struct structure(unsigned seed) { return {string(seed), string(seed + 1), sequence(seed + 2)}; }
  structseq structures(unsigned seed) {
    auto& all = structures_.emplace_back();
    for (unsigned i = 0; i < kElements; ++i) all.push_back(structure(seed + 10 * i));
    return {kElements, all.data()};
  }

 private:
  std::list<std::string> strings_;
  std::list<std::vector<str>> sequences_;
  std::list<std::vector<var_struct>> structures_;
};

bool same(short a, short b) { return a == b; }
bool same(const char* a, const char* b) { return std::strcmp(a, b) == 0; }
bool same(const fixed_struct& a, const fixed_struct& b) {
  return a.l == b.l && a.c == b.c && a.s == b.s && a.o == b.o && a.f == b.f && a.b == b.b && a.d == b.d;
}
bool same(const strseq& a, const strseq& b) {
  return a.strseq_len == b.strseq_len && std::equal(a.strseq_val, a.strseq_val + a.strseq_len, b.strseq_val,
                                                    [](const char* x, const char* y) { return same(x, y); });
}
bool same(const var_struct& a, const var_struct& b) {
  return same(a.dummy1, b.dummy1) && same(a.dummy2, b.dummy2) && same(a.seq, b.seq);
}
bool same(const nested_struct& a, const nested_struct& b) { return same(a.vs, b.vs); }
bool same(const structseq& a, const structseq& b) {
  return a.structseq_len == b.structseq_len &&
         std::equal(a.structseq_val, a.structseq_val + a.structseq_len, b.structseq_val,
                    [](const var_struct& x, const var_struct& y) { return same(x, y); });
}

class Caller {
 public:
  explicit Caller(const Options& o) : options_(o), client_(connected(o, PARAM_TEST, PARAM_TEST_1)) {}
  Caller(const Caller&) = delete;
  ~Caller() { clnt_destroy(client_); }

  // The stub answers with a static reply, whose memory is freed before the next call; it zeroes the reply itself.
  template <class Request, class Reply>
  void operation(const char* name, Request request, Reply* (*stub)(Request*, CLIENT*), xdrproc_t xdr) {
    Reply* reply = nullptr;
    param_test(
        options_, name,
        [&] {
          if (reply) clnt_freeres(client_, xdr, reinterpret_cast<char*>(reply));
          reply = stub(&request, client_);
          if (!reply) throw std::runtime_error(clnt_sperror(client_, name));
        },
        [&] {
          return same(reply->ret, request.s1) && same(reply->s2, request.s1) && same(reply->s3, request.s1);
        });
    if (reply) clnt_freeres(client_, xdr, reinterpret_cast<char*>(reply));
  }

 private:
  const Options& options_;
  CLIENT* client_;
};

#define XDR_OF(type) reinterpret_cast<xdrproc_t>(xdr_##type)

void call_operations(const Options& o) {
  Values v;
  Caller c(o);
  c.operation("test_short", short_request{1, 2}, test_short_1, XDR_OF(short_reply));
  c.operation("test_unbounded_string", string_request{v.string(1), v.string(2)}, test_unbounded_string_1,
              XDR_OF(string_reply));
  c.operation("test_fixed_struct", fixed_request{{1, 'c', 2, 3, 4.5f, true, 6.5}, {2, 'd', 3, 4, 5.5f, false, 7.5}},
              test_fixed_struct_1, XDR_OF(fixed_reply));
  c.operation("test_strseq", strseq_request{v.sequence(1), v.sequence(2)}, test_strseq_1, XDR_OF(strseq_reply));
  c.operation("test_var_struct", var_request{v.structure(1), v.structure(2)}, test_var_struct_1, XDR_OF(var_reply));
  c.operation("test_nested_struct", nested_request{{v.structure(1)}, {v.structure(2)}}, test_nested_struct_1,
              XDR_OF(nested_reply));
  c.operation("test_struct_sequence", structseq_request{v.structures(1), v.structures(2)}, test_struct_sequence_1,
              XDR_OF(structseq_reply));
}

bool_t no_result(XDR*, ...) { return TRUE; }

class Sender {
 public:
  explicit Sender(const Options& o) : options_(o), client_(connected(o, TTCP, TTCP_1)) {}
  Sender(const Sender&) = delete;
  ~Sender() { clnt_destroy(client_); }

  // Typed arrays, by the procedure for them; Array is rpcgen's pair of length and address.
  template <class T, class Array>
  void typed(const char* name, rpcproc_t procedure, xdrproc_t xdr) {
    each_size(options_, name, [&](std::uint64_t size) {
      auto all = elements<T>(size / sizeof(T), options_.corrupt);
      Array array{static_cast<u_int>(all.size()), all.data()};
      point(name, size, procedure, xdr, &array);
    });
  }
  template <class T>
  void opaque(const char* name, kind type) {
    each_size(options_, name, [&](std::uint64_t size) {
      auto all = elements<T>(size / sizeof(T), options_.corrupt);
      native bytes{type, {static_cast<u_int>(size), reinterpret_cast<char*>(all.data())}};
      point(name, size, SEND_NATIVE, XDR_OF(native), &bytes);
    });
  }

 private:
  void point(const char* name, std::uint64_t size, rpcproc_t procedure, xdrproc_t xdr, void* argument) {
    flood(
        options_, name, size, [&] { send(procedure, xdr, argument); }, [&](std::uint64_t) { return barrier(); });
  }
  // With a time-out of zero no reply is waited for. With a routine for the result the record is sent at once, without
  // one it stays in the buffer.
  void send(rpcproc_t procedure, xdrproc_t xdr, void* argument) {
    const xdrproc_t result = options_.buffered ? nullptr : no_result;
    const clnt_stat status = clnt_call(client_, procedure, xdr, static_cast<char*>(argument), result, nullptr,
                                       (timeval{0, 0}));
    if (status != (options_.buffered ? RPC_SUCCESS : RPC_TIMEDOUT)) throw std::runtime_error(clnt_sperrno(status));
  }
  Receipt barrier() {
    const receipt* r = barrier_1(nullptr, client_);
    if (!r) throw std::runtime_error(clnt_sperror(client_, "barrier"));
    return {r->intact, r->arrived, r->ns};
  }

  const Options& options_;
  CLIENT* client_;
};

void send_floods(const Options& o) {
  Sender s(o);
  if (o.opaque) {
    s.opaque<std::int16_t>("short", KIND_SHORT);
    s.opaque<char>("char", KIND_CHAR);
    s.opaque<std::int32_t>("long", KIND_LONG);
    s.opaque<std::uint8_t>("octet", KIND_OCTET);
    s.opaque<double>("double", KIND_DOUBLE);
    s.opaque<BinStruct>("BinStruct", KIND_STRUCT);
  } else {
    s.typed<short, shorts>("short", SEND_SHORT, XDR_OF(shorts));
    s.typed<char, chars>("char", SEND_CHAR, XDR_OF(chars));
    s.typed<int, longs>("long", SEND_LONG, XDR_OF(longs));
    s.typed<u_char, octets>("octet", SEND_OCTET, XDR_OF(octets));
    s.typed<double, doubles>("double", SEND_DOUBLE, XDR_OF(doubles));
    s.typed<binstruct, structs>("BinStruct", SEND_STRUCT, XDR_OF(structs));
  }
}

void run(const Options& o) {
  if (o.suite == "ttcp") send_floods(o);
  else if (o.suite == "param_test" && !o.opaque) call_operations(o);
  else no_such_suite(o);
}

}  // namespace

int main(int argc, char** argv) { return guarded(argc, argv, run); }
