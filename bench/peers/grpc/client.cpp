// SPDX-License-Identifier: Apache-2.0
// gRPC, synchronous stub: the client of param_test, ttcp (a client stream for each point, since gRPC has no one-way
// calls) and scale.
#include "../common/clients.h"
#include "../common/far.h"
#include "../common/flood.h"
#include "../common/latency.h"
#include "../common/text.h"
#include "bench.grpc.pb.h"
#include <grpcpp/grpcpp.h>

namespace {

using namespace bench;

std::shared_ptr<grpc::Channel> channel(const Options& o) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);  // whatever the environment says
  return grpc::CreateCustomChannel(std::string(host()) + ":" + read_reference(o)[0],
                                   grpc::InsecureChannelCredentials(), arguments);
}
void succeeded(const grpc::Status& status) {
  if (!status.ok()) throw std::runtime_error("call failed: " + status.error_message());
}

void fill(proto::FixedStruct& f, unsigned seed) {
  f.set_l(static_cast<int>(seed));
  f.set_c('c');
  f.set_s(2);
  f.set_o(3);
  f.set_f(4.5f);
  f.set_b(true);
  f.set_d(6.5);
}
void fill(proto::StrSeq& s, unsigned seed) {
  for (unsigned i = 0; i < kElements; ++i) s.add_v(text(seed + i));
}
void fill(proto::VarStruct& v, unsigned seed) {
  v.set_dummy1(text(seed));
  v.set_dummy2(text(seed + 1));
  for (unsigned i = 0; i < kElements; ++i) v.add_seq(text(seed + 2 + i));
}
void fill(proto::NestedStruct& n, unsigned seed) { fill(*n.mutable_vs(), seed); }
void fill(proto::StructSeq& s, unsigned seed) {
  for (unsigned i = 0; i < kElements; ++i) fill(*s.add_v(), seed + 10 * i);
}

template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_base_of_v<google::protobuf::Message, T>)
    return a.SerializeAsString() == b.SerializeAsString();
  else
    return a == b;
}

class Caller {
 public:
  explicit Caller(const Options& o) : options_(o), stub_(proto::ParamTest::NewStub(channel(o))) {}

  template <class Request, class Reply>
  using Method = grpc::Status (proto::ParamTest::Stub::*)(grpc::ClientContext*, const Request&, Reply*);

  // The request is made once; the reply is a message that is filled anew by every call.
  template <class Request, class Reply>
  void operation(const char* name, const Request& request, Method<Request, Reply> method) const {
    Reply reply;
    param_test(
        options_, name,
        [&] {
          grpc::ClientContext context;
          succeeded(((*stub_).*method)(&context, request, &reply));
        },
        [&] {
          const auto& s1 = request.s1();
          const bool right = same(reply.ret(), s1) && same(reply.s2(), s1) && same(reply.s3(), s1);
          reply.Clear();
          return right;
        });
  }
  template <class Request, class Reply>
  void structures(const char* name, Method<Request, Reply> method) const {
    Request request;
    fill(*request.mutable_s1(), 1);
    fill(*request.mutable_s2(), 2);
    operation(name, request, method);
  }

 private:
  const Options& options_;
  std::unique_ptr<proto::ParamTest::Stub> stub_;
};

void call_operations(const Options& o) {
  using Stub = proto::ParamTest::Stub;
  const Caller caller(o);
  proto::ShortRequest number;
  number.set_s1(1);
  number.set_s2(2);
  caller.operation("test_short", number, &Stub::TestShort);
  proto::StringRequest string;
  string.set_s1(text(1));
  string.set_s2(text(2));
  caller.operation("test_unbounded_string", string, &Stub::TestUnboundedString);
  caller.structures("test_fixed_struct", &Stub::TestFixedStruct);
  caller.structures("test_strseq", &Stub::TestStrseq);
  caller.structures("test_var_struct", &Stub::TestVarStruct);
  caller.structures("test_nested_struct", &Stub::TestNestedStruct);
  caller.structures("test_struct_sequence", &Stub::TestStructSequence);
}

// One stream after the other; finish() ends one, which is the barrier, and opens the next.
class Stream {
 public:
  explicit Stream(proto::Ttcp::Stub& stub) : stub_(stub) { open(); }
  ~Stream() { context_->TryCancel(); }
  void write(const proto::Buffer& buffer) {
    if (!writer_->Write(buffer)) throw std::runtime_error("the stream has ended");
  }
  Receipt finish() {
    writer_->WritesDone();
    succeeded(writer_->Finish());
    const Receipt r{receipt_.intact(), receipt_.arrived(), receipt_.ns()};
    open();
    return r;
  }

 private:
  void open() {
    writer_.reset();
    context_ = std::make_unique<grpc::ClientContext>();
    writer_ = stub_.Flood(context_.get(), &receipt_);
  }

  proto::Ttcp::Stub& stub_;
  proto::Receipt receipt_;
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientWriter<proto::Buffer>> writer_;
};

class Sender {
 public:
  explicit Sender(const Options& o) : options_(o), stub_(proto::Ttcp::NewStub(channel(o))) {}

  // put(buffer, elements) makes the message, once a point.
  template <class T, class Put>
  void type(const char* name, Put put) const {
    each_size(options_, name, [&](std::uint64_t size) {
      proto::Buffer buffer;
      put(buffer, elements<T>(size / sizeof(T), options_.corrupt));
      Stream stream(*stub_);
      flood(
          options_, name, size, [&] { stream.write(buffer); }, [&](std::uint64_t) { return stream.finish(); });
    });
  }

 private:
  const Options& options_;
  std::unique_ptr<proto::Ttcp::Stub> stub_;
};

void put_structs(proto::Buffer& buffer, const std::vector<BinStruct>& all) {
  for (const BinStruct& from : all) {
    proto::BinStruct& b = *buffer.add_structs();
    b.set_s(from.s);
    b.set_c(from.c);
    b.set_l(from.l);
    b.set_o(from.o);
    b.set_d(from.d);
    b.set_pad(from.pad, sizeof from.pad);
  }
}

void send_floods(const Options& o) {
  if (o.buffered) throw std::invalid_argument("gRPC cannot hold messages back and send them together");
  const Sender s(o);
  const auto add = [](auto* to, const auto& all) { to->Add(all.begin(), all.end()); };
  s.type<std::int16_t>("short", [&](auto& b, const auto& all) { add(b.mutable_shorts(), all); });
  s.type<char>("char", [](auto& b, const auto& all) { b.set_chars(all.data(), all.size()); });
  s.type<std::int32_t>("long", [&](auto& b, const auto& all) { add(b.mutable_longs(), all); });
  s.type<char>("octet", [](auto& b, const auto& all) { b.set_octets(all.data(), all.size()); });
  s.type<double>("double", [&](auto& b, const auto& all) { add(b.mutable_doubles(), all); });
  s.type<BinStruct>("BinStruct", put_structs);
}

auto connect_caller(const Options& o) {
  return [stub = std::shared_ptr<proto::ParamTest::Stub>(proto::ParamTest::NewStub(channel(o)))](std::uint64_t n) {
    grpc::ClientContext context;
    proto::ShortRequest request;
    proto::ShortReply reply;
    request.set_s1(element<std::int16_t>(n));
    request.set_s2(9);
    succeeded(stub->TestShort(&context, request, &reply));
    const auto s1 = request.s1();
    expect(reply.ret() == s1 && reply.s2() == s1 && reply.s3() == s1, "test_short");
  };
}

// One-ways are messages of a stream, whose end is the barrier.
void call_far(const Options& o) {
  const auto way = channel(o);
  const auto stub = proto::ParamTest::NewStub(way);
  const auto ttcp = proto::Ttcp::NewStub(way);
  const auto octets = [](std::uint64_t size) {
    const auto all = elements<char>(size, false);
    proto::Buffer buffer;
    buffer.set_octets(all.data(), all.size());
    return buffer;
  };
  const proto::Buffer small = octets(kFarSmall), large = octets(kFarLarge);
  Stream stream(*ttcp);
  far(o, {[&] {
            grpc::ClientContext context;
            proto::ShortRequest request;
            proto::ShortReply reply;
            request.set_s1(7);
            request.set_s2(9);
            succeeded(stub->TestShort(&context, request, &reply));
            expect(reply.ret() == 7 && reply.s2() == 7 && reply.s3() == 7, "test_short");
          },
          [&](std::uint64_t bytes) { stream.write(bytes == kFarSmall ? small : large); },
          [&](std::uint64_t) { return stream.finish(); }});
  struct Call {
    std::unique_ptr<grpc::ClientContext> context;
    proto::ShortReply reply;
    grpc::Status status;
    std::unique_ptr<grpc::ClientAsyncResponseReader<proto::ShortReply>> reader;
  };
  std::vector<Call> calls(kFarPipelined);
  grpc::CompletionQueue queue;
  far_pipelined(
      o,
      [&](int i) {
        Call& call = calls[static_cast<std::size_t>(i)];
        call.context = std::make_unique<grpc::ClientContext>();
        proto::ShortRequest request;
        request.set_s1(i);
        request.set_s2(9);
        call.reader = stub->AsyncTestShort(call.context.get(), request, &queue);
        call.reader->Finish(&call.reply, &call.status, &call);
      },
      [&](int) {  // whichever comes next
        void* tag = nullptr;
        bool ok = false;
        expect(queue.Next(&tag, &ok) && ok, "the queue of results");
        const Call& call = *static_cast<Call*>(tag);
        succeeded(call.status);
        const int i = static_cast<int>(&call - calls.data());
        expect(call.reply.ret() == i && call.reply.s2() == i && call.reply.s3() == i, "test_short");
      });
}

void run(const Options& o) {
  if (o.suite == "param_test") call_operations(o);
  else if (o.suite == "ttcp") send_floods(o);
  else if (o.suite == "far") call_far(o);
  else if (o.suite == "scale") scale(o, [&] { return connect_caller(o); });
  else no_such_suite(o);
}

}  // namespace

int main(int argc, char** argv) { return guarded(argc, argv, run); }
