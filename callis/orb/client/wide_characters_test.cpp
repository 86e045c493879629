// SPDX-License-Identifier: Apache-2.0
// Wide characters in calls: in the form of the GIOP version spoken, and only to servers that say in which code set
// they take them (CORBA 3.3 part 2, 7.10.2 and 9.3.1.6).
#include <callis/orb/testing/scripted_peer.h>
#include <gtest/gtest.h>
#include <string>

namespace callis::orb {
namespace {

using namespace testing;

std::wstring get_wide(cdr::Decoder& d) {
  const std::uint32_t units = d.wstring_units();
  std::wstring s(units + 1, L'\0');
  if (d.ok()) d.get_wide(s.data(), units);
  return s.c_str();
}

// wchar and wstring there and back; fragments when there are many.
class WideBody final : public CallBody {
 public:
  wchar_t character = 0;
  std::wstring text;
  void encode(cdr::Encoder& e) override {
    e.put_wchar(character);
    e.put_wstring(text.c_str());
  }
  void decode(cdr::Decoder& d) override {
    character = d.get_wchar();
    text = get_wide(d);
  }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return {}; }
};

struct WideHandler final : RequestHandler {
  void handle(ServerRequest& r) noexcept override {
    const wchar_t c = r.arguments().get_wchar();
    const std::wstring s = get_wide(r.arguments());
    if (!r.arguments().ok())
      return r.system_exception(*exception_of({r.arguments().fault(), 0, {}}, Step::DecodeRequest));
    cdr::Encoder& e = r.reply();
    e.put_wchar(static_cast<wchar_t>(c + 1));
    e.put_wstring((s + L"\u00DF").c_str());
  }
  Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
};

void expect_there_and_back(CORBA::Object_ptr o, std::wstring text) {
  for (int i = 0; i < 3; ++i) {
    WideBody body;
    body.character = L'\u20AC';
    body.text = text;
    call(reference_of(o), {"wide"}, body);
    EXPECT_EQ(body.character, L'\u20AD');
    EXPECT_EQ(body.text, text + L"\u00DF");
  }
}

class WideVersion : public ::testing::TestWithParam<const char*> {};

TEST_P(WideVersion, has_its_form_there_and_back) {
  WideHandler handler;
  for (const char* endpoint : {"tcp:127.0.0.1:0", "memory:wide"}) {
    EchoServer server({"-ORBEndpoint", endpoint, "-ORBGIOPVersion", GetParam()}, {}, &handler);
    auto client = make_core();
    auto o = server.object_for(*client);
    expect_there_and_back(o, L"a\u03B1\U0001F600");
    expect_there_and_back(o, L"");
    client->destroy();
  }
}

TEST_P(WideVersion, goes_in_fragments) {
  WideHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBGIOPVersion", GetParam(), "-ORBFragmentSize", "64"}, {},
                    &handler);
  auto client = make_core({"-ORBFragmentSize", "64"});
  std::wstring text;
  for (int i = 0; i < 200; ++i) text += static_cast<wchar_t>(L'a' + i % 26);
  expect_there_and_back(server.object_for(*client), text);
  client->destroy();
}

INSTANTIATE_TEST_SUITE_P(Wide, WideVersion, ::testing::Values("1.1", "1.2"),
                         [](const auto& p) { return p.param[2] == '1' ? "v1_1" : "v1_2"; });

TEST(Wide, is_unknown_to_giop_1_0) {
  WideHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBGIOPVersion", "1.0"}, {}, &handler);
  auto client = make_core();
  auto o = server.object_for(*client);
  WideBody body;
  const auto e = caught<CORBA::MARSHAL>([&] { call(reference_of(o), {"wide"}, body); });
  EXPECT_EQ(e.minor(), omg(5));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  // A client that sends them all the same is refused.
  const auto refused = caught<CORBA::MARSHAL>([&] { call_ulong(o, "wide", 1); });
  EXPECT_EQ(refused.minor(), omg(5));
  client->destroy();
}

TEST(Wide, is_not_sent_to_a_server_that_names_no_code_set_for_it) {
  WideHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &handler);
  auto client = make_core();
  CORBA::Object_var o =
      client->string_to_object(("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(server.port()) + "/echo").c_str());
  WideBody body;
  const auto e = caught<CORBA::INV_OBJREF>([&] { call(reference_of(o), {"wide"}, body); });
  EXPECT_EQ(e.minor(), omg(1));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  client->destroy();
}

TEST(Wide, that_is_none_of_unicode_is_a_data_conversion) {
  WideHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &handler);
  auto client = make_core();
  auto o = server.object_for(*client);
  WideBody body;
  body.character = static_cast<wchar_t>(0xD800);
  EXPECT_EQ(caught<CORBA::DATA_CONVERSION>([&] { call(reference_of(o), {"wide"}, body); }).minor(), omg(1));
  client->destroy();
}

}  // namespace
}  // namespace callis::orb
