// SPDX-License-Identifier: Apache-2.0
// Long arrays in requests are sent from where they lie: whatever the transport, the version and the fragments, what
// arrives is what was to be sent.
#include <callis/orb/testing/echo.h>
#include <gtest/gtest.h>
#include <numeric>

namespace callis::orb {
namespace {

using namespace testing;

// Sequences of long, double and octet with short values between them; the same comes back.
class ArraysBody final : public CallBody {
 public:
  std::vector<std::uint32_t> longs;
  std::vector<double> doubles;
  std::vector<Byte> octets;
  std::string text = "between";
  std::size_t gathered = 0;  // bytes that were not copied

  explicit ArraysBody(std::size_t n) : longs(n), doubles(n), octets(n) {
    std::iota(longs.begin(), longs.end(), 1u);
    std::iota(doubles.begin(), doubles.end(), 0.5);
    for (std::size_t i = 0; i < n; ++i) octets[i] = static_cast<Byte>(i * 7);
  }
  bool operator==(const ArraysBody& o) const {
    return longs == o.longs && doubles == o.doubles && octets == o.octets && text == o.text;
  }

  void encode(cdr::Encoder& e) override {
    put(e, longs);
    e.put_string(text);
    put(e, doubles);
    put(e, octets);
    e.put_octet(1);
    put(e, doubles);
    gathered = e.gathered();
  }
  void decode(cdr::Decoder& d) override {
    std::vector<double> again;
    get(d, longs);
    text = d.get_string();
    get(d, doubles);
    get(d, octets);
    EXPECT_EQ(d.get_octet(), 1);
    get(d, again);
    EXPECT_EQ(again, doubles);
  }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return {}; }

 private:
  template <class T>
  static void put(cdr::Encoder& e, const std::vector<T>& v) {
    e.put_ulong(static_cast<std::uint32_t>(v.size()));
    e.put_array(v.data(), v.size(), sizeof(T));
  }
  template <class T>
  static void get(cdr::Decoder& d, std::vector<T>& v) {
    v.assign(d.count(sizeof(T), sizeof(T)), T{});
    d.get_array(v.data(), v.size(), sizeof(T));
  }
};

struct ArraysHandler final : RequestHandler {
  void handle(ServerRequest& r) noexcept override {
    ArraysBody body(0);
    body.decode(r.arguments());
    if (!r.arguments().ok()) return r.system_exception(CORBA::MARSHAL(1, CORBA::COMPLETED_NO));
    last = body.longs.size();
    body.encode(r.reply());
  }
  Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
  std::atomic<std::size_t> last{0};
};

struct GatherSetting {
  const char* name;
  const char* endpoint;
  const char* version;
  const char* fragment;
  bool gathers;
};

class Gathered : public ::testing::TestWithParam<GatherSetting> {
 protected:
  ArraysHandler handler;
  EchoServer server{{"-ORBEndpoint", GetParam().endpoint, "-ORBGIOPVersion", GetParam().version}, &plenty, &handler};
  Counted<Core> client =
      make_core({"-ORBFragmentSize", GetParam().fragment, "-ORBGIOPVersion", GetParam().version}, &plenty);
  CORBA::Object_var object = server.object_for(*client);
  ~Gathered() override { client->destroy(); }
  static void plenty(Options& o) { o.limits.max_fragments = 1u << 20; }
};

TEST_P(Gathered, arguments_arrive_whole) {
  const std::size_t least = cdr::Gather::kLeastBytes;
  for (std::size_t n : {least / 8 - 1, least / 8, least / 4, least, std::size_t{3}, std::size_t{300'000}, least}) {
    ArraysBody body(n);
    call(reference_of(object), {"arrays", false, "arrays"}, body);
    EXPECT_EQ(body, ArraysBody(n)) << n;
    EXPECT_EQ(body.gathered != 0, GetParam().gathers && n * sizeof(double) >= least) << n;
  }
}

TEST_P(Gathered, oneways_do_not_hold_on_to_their_arguments) {
  for (std::size_t n : {100'000u, 7u, 200'000u}) {
    {
      ArraysBody body(n);
      call(reference_of(object), {"tell", true, "tell"}, body);
    }
    ArraysBody after(5);
    call(reference_of(object), {"arrays", false, "arrays"}, after);
    EXPECT_EQ(after, ArraysBody(5)) << "the connection is in step";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Call, Gathered,
    ::testing::Values(GatherSetting{"tcp", "tcp:127.0.0.1:0", "1.2", "0", true},
                      GatherSetting{"tcp_of_1_1", "tcp:127.0.0.1:0", "1.1", "0", true},
                      GatherSetting{"tcp_of_1_0", "tcp:127.0.0.1:0", "1.0", "0", true},
                      GatherSetting{"tcp_in_fragments", "tcp:127.0.0.1:0", "1.2", "4096", false},
                      GatherSetting{"memory", "memory:gathered", "1.2", "0", false}),
    [](const auto& p) { return std::string(p.param.name); });

}  // namespace
}  // namespace callis::orb
