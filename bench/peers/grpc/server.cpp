// SPDX-License-Identifier: Apache-2.0
// gRPC, synchronous server with its default threads: param_test, ttcp and scale.
#include "../common/flood.h"
#include "bench.grpc.pb.h"
#include <grpcpp/grpcpp.h>

namespace {

using grpc::ServerContext;
using grpc::Status;

class Param final : public proto::ParamTest::Service {
 public:
  explicit Param(bool corrupt) : corrupt_(corrupt) {}

  Status TestShort(ServerContext*, const proto::ShortRequest* q, proto::ShortReply* r) override {
    r->set_ret(q->s1());
    r->set_s2(q->s1());
    r->set_s3(q->s1() + corrupt_);
    return Status::OK;
  }
  Status TestUnboundedString(ServerContext*, const proto::StringRequest* q, proto::StringReply* r) override {
    r->set_ret(q->s1());
    r->set_s2(q->s1());
    r->set_s3(q->s1());
    return Status::OK;
  }
  Status TestFixedStruct(ServerContext*, const proto::FixedStructRequest* q, proto::FixedStructReply* r) override {
    return copy(*q, *r);
  }
  Status TestStrseq(ServerContext*, const proto::StrSeqRequest* q, proto::StrSeqReply* r) override {
    return copy(*q, *r);
  }
  Status TestVarStruct(ServerContext*, const proto::VarStructRequest* q, proto::VarStructReply* r) override {
    return copy(*q, *r);
  }
  Status TestNestedStruct(ServerContext*, const proto::NestedStructRequest* q, proto::NestedStructReply* r) override {
    return copy(*q, *r);
  }
  Status TestStructSequence(ServerContext*, const proto::StructSeqRequest* q, proto::StructSeqReply* r) override {
    return copy(*q, *r);
  }

 private:
  template <class Request, class Reply>
  static Status copy(const Request& q, Reply& r) {
    *r.mutable_ret() = q.s1();
    *r.mutable_s2() = q.s1();
    *r.mutable_s3() = q.s1();
    return Status::OK;
  }

  const bool corrupt_;
};

bool is_struct(const proto::BinStruct& b, std::size_t i) {
  return b.s() == bench::element<std::int16_t>(i) && b.c() == 'c' && b.l() == bench::element<std::int32_t>(i) &&
         b.o() == 7 && b.d() == bench::element<double>(i) && b.pad().size() == 8 && bench::pad_filled(b.pad().data());
}

// A buffer holds elements of one type; the others' fields are empty.
void count(const proto::Buffer& b, bench::Tally& tally) {
  const auto numbers = [&](const auto& all, auto native) {
    const auto n = static_cast<std::size_t>(all.size());
    if (n == 0) return;
    const auto is = [&](std::size_t i) { return all[static_cast<int>(i)] == bench::element<decltype(native)>(i); };
    tally.add(n * sizeof(native), is(0) && is(n - 1));
  };
  const auto octets = [&](const std::string& all) {
    if (!all.empty()) tally.add(all.size(), bench::intact(all.data(), all.size()));
  };
  numbers(b.shorts(), std::int16_t{});
  octets(b.chars());
  numbers(b.longs(), std::int32_t{});
  octets(b.octets());
  numbers(b.doubles(), double{});
  if (const int n = b.structs_size(); n > 0)
    tally.add(static_cast<std::size_t>(n) * sizeof(bench::BinStruct),
              is_struct(b.structs(0), 0) && is_struct(b.structs(n - 1), static_cast<std::size_t>(n - 1)));
}

class Ttcp final : public proto::Ttcp::Service {
  Status Flood(ServerContext*, grpc::ServerReader<proto::Buffer>* in, proto::Receipt* receipt) override {
    bench::Tally tally;
    for (proto::Buffer buffer; in->Read(&buffer);) count(buffer, tally);
    const bench::Receipt r = tally.take();
    receipt->set_intact(r.intact);
    receipt->set_arrived(r.arrived);
    receipt->set_ns(r.ns);
    return Status::OK;
  }
};

void run(const bench::Options& o) {
  if (o.suite != "param_test" && o.suite != "ttcp" && o.suite != "scale" && o.suite != "far") bench::no_such_suite(o);
  Param param(o.corrupt);
  Ttcp ttcp;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(std::string(bench::host()) + ":0", grpc::InsecureServerCredentials(), &port);
  builder.SetMaxReceiveMessageSize(-1);
  builder.RegisterService(&param);
  builder.RegisterService(&ttcp);
  const auto server = builder.BuildAndStart();
  bench::expect(server != nullptr && port != 0, "the server does not start");
  bench::publish(o, {std::to_string(port)});
  server->Wait();
}

}  // namespace

int main(int argc, char** argv) { return bench::guarded(argc, argv, run); }
