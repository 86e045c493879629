// SPDX-License-Identifier: Apache-2.0
// The code sets of a connection: what client and server agree on, tell each other and convert (CORBA 3.3 part 2,
// 7.10.2).
#include <callis/classic/coder.h>
#include <callis/orb/testing/raw_client.h>
#include <callis/orb/testing/scripted_peer.h>
#include <gtest/gtest.h>
#include <string>

namespace callis::orb {
namespace {

using namespace testing;

const char* const kLatin1 = "ISO-8859-1";
const char* const kUtf8 = "UTF-8";

// "aä" as a process with that native code set has it.
std::string sample(std::string_view native) { return native == kUtf8 ? "a\xC3\xA4" : "a\xE4"; }

// A string, a char and a wstring there and back.
class TextBody final : public CallBody {
 public:
  std::string text;
  char character = 'c';
  std::wstring wide;
  bool has_wide = true;

  void encode(cdr::Encoder& e) override {
    classic::put_string(e, text.c_str());
    classic::put_primitive(e, character);
    if (has_wide) e.put_wstring(wide.c_str());
  }
  void decode(cdr::Decoder& d) override { read(d); }
  void read(cdr::Decoder& d) {
    CORBA::String_var s;
    classic::own_string(d, s.inout());
    if (d.ok()) text = s.in();
    classic::get_primitive(d, character);
    if (!has_wide) return;
    const std::uint32_t units = d.wstring_units();
    std::wstring w(units + 1, L'\0');
    if (d.ok() && d.get_wide(w.data(), units)) wide = w.c_str();
  }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override { return {}; }
};

// Sends back what came, or `answer`.
struct TextHandler final : RequestHandler {
  void handle(ServerRequest& r) noexcept override {
    if (r.operation() == "echo") return r.reply().put_ulong(r.arguments().get_ulong());
    TextBody body;
    body.has_wide = r.operation() == "text";
    body.read(r.arguments());
    if (!r.arguments().ok())
      return r.system_exception(*exception_of({r.arguments().fault(), 0, {}}, Step::DecodeRequest));
    seen = body.text;
    seen_wide = body.wide;
    if (!answer.empty()) body.text = answer;
    body.encode(r.reply());
  }
  Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
  std::string seen, answer;
  std::wstring seen_wide;
};

std::string call_text(CORBA::Object_ptr o, std::string_view text, const char* operation = "narrow",
                      std::wstring wide = {}) {
  TextBody body;
  body.text = text;
  body.wide = wide;
  body.has_wide = std::string_view(operation) == "text";
  call(reference_of(o), {operation, false, operation}, body);
  EXPECT_EQ(body.wide, wide);
  return body.text;
}

struct Case {
  const char *client, *server, *version, *endpoint;
};
class CodeSetsOf : public ::testing::TestWithParam<Case> {};

TEST_P(CodeSetsOf, text_is_the_same_on_both_sides) {
  const Case c = GetParam();
  TextHandler handler;
  EchoServer server({"-ORBEndpoint", c.endpoint, "-ORBGIOPVersion", c.version, "-ORBNativeCharCodeSet", c.server}, {},
                    &handler);
  auto client = make_core({"-ORBNativeCharCodeSet", c.client});
  auto o = server.object_for(*client);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(call_text(o, sample(c.client)), sample(c.client));
    EXPECT_EQ(handler.seen, sample(c.server));
    EXPECT_EQ(echo(o, 7), 7u);
  }
  client->destroy();
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* client : {kLatin1, kUtf8})
    for (const char* server : {kLatin1, kUtf8})
      for (const char* version : {"1.0", "1.1", "1.2"}) all.push_back({client, server, version, "tcp:127.0.0.1:0"});
  for (const char* native : {kLatin1, kUtf8}) all.push_back({native, native, "1.2", "memory:code sets"});
  return all;
}
INSTANTIATE_TEST_SUITE_P(, CodeSetsOf, ::testing::ValuesIn(cases()), [](const auto& p) {
  std::string s =
      std::string(p.param.client) + "_to_" + p.param.server + "_" + p.param.version + "_" + p.param.endpoint;
  for (char& c : s)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return s;
});

TEST(CodeSets, of_an_orbs_own_objects_are_its_own) {
  TextHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBNativeCharCodeSet", kUtf8}, {}, &handler);
  auto o = server.object_for(*server.core);
  EXPECT_EQ(call_text(o, "\xE2\x82\xAC"), "\xE2\x82\xAC");
  EXPECT_EQ(handler.seen, "\xE2\x82\xAC");
  EXPECT_FALSE(server.core->own_key(o).empty());
}

TEST(CodeSets, that_are_the_same_let_any_bytes_pass) {
  for (const char* native : {kLatin1, kUtf8}) {
    TextHandler handler;
    EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBNativeCharCodeSet", native}, {}, &handler);
    auto client = make_core({"-ORBNativeCharCodeSet", native});
    EXPECT_EQ(call_text(server.object_for(*client), "\xFF\xC0\x80"), "\xFF\xC0\x80");
    client->destroy();
  }
}

TEST(CodeSets, what_one_side_does_not_have_is_a_data_conversion) {
  TextHandler handler;
  EchoServer latin1({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &handler);
  auto utf8 = make_core({"-ORBNativeCharCodeSet", kUtf8});
  auto o = latin1.object_for(*utf8);
  const auto e = caught<CORBA::DATA_CONVERSION>([&] { call_text(o, "\xE2\x82\xAC"); });
  EXPECT_EQ(e.minor(), omg(1));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  EXPECT_EQ(call_text(o, "a"), "a") << "the connection goes on";
  utf8->destroy();
}

TEST(CodeSets, what_the_client_does_not_have_is_a_data_conversion_after_completion) {
  TextHandler handler;
  handler.answer = "\xE2\x82\xAC";
  EchoServer utf8({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBNativeCharCodeSet", kUtf8}, {}, &handler);
  auto latin1 = make_core();
  auto o = utf8.object_for(*latin1);
  const auto e = caught<CORBA::DATA_CONVERSION>([&] { call_text(o, "a"); });
  EXPECT_EQ(e.minor(), omg(1));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
  latin1->destroy();
}

TEST(CodeSets, a_server_that_cannot_send_its_results_says_so) {
  TextHandler handler;
  handler.answer = "\xE2\x82\xAC";
  EchoServer utf8({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBNativeCharCodeSet", kUtf8}, {}, &handler);
  auto client = make_core();
  // Without a code set component chars are ISO 8859-1 (7.10.2.4), which the server converts to.
  CORBA::Object_var o =
      client->string_to_object(("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(utf8.port()) + "/echo").c_str());
  const auto e = caught<CORBA::DATA_CONVERSION>([&] { call_text(o, "\xE4"); });
  EXPECT_EQ(e.minor(), omg(1));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
  EXPECT_EQ(handler.seen, "\xC3\xA4");
  client->destroy();
}

TEST(CodeSets, a_single_char_of_more_than_one_octet_is_a_data_conversion) {
  TextHandler handler;
  EchoServer utf8({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBNativeCharCodeSet", kUtf8}, {}, &handler);
  auto latin1 = make_core();
  auto o = utf8.object_for(*latin1);
  TextBody body;
  body.has_wide = false;
  body.character = '\xE4';
  const auto e = caught<CORBA::DATA_CONVERSION>([&] { call(reference_of(o), {"narrow", false, "narrow"}, body); });
  EXPECT_EQ(e.minor(), omg(1));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  latin1->destroy();
}

TEST(CodeSets, connections_are_not_shared_by_references_that_agree_on_others) {
  TextHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBNativeCharCodeSet", kUtf8}, {}, &handler);
  auto client = make_core({"-ORBNativeCharCodeSet", kUtf8});
  auto told = server.object_for(*client);
  CORBA::Object_var untold =
      client->string_to_object(("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(server.port()) + "/echo").c_str());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(call_text(told, "\xE2\x82\xAC"), "\xE2\x82\xAC");
    EXPECT_EQ(call_text(untold, "\xC3\xA4"), "\xC3\xA4");
  }
  EXPECT_EQ(caught<CORBA::DATA_CONVERSION>([&] { call_text(untold, "\xE2\x82\xAC"); }).minor(), omg(1));
  client->destroy();
}

// ---- wide characters

struct Wide {
  const char *client, *server, *version;
  bool beyond;  // the first plane
};
class WideCodeSetsOf : public ::testing::TestWithParam<Wide> {};

TEST_P(WideCodeSetsOf, text_is_the_same_on_both_sides) {
  const Wide c = GetParam();
  TextHandler handler;
  EchoServer server(
      {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBGIOPVersion", c.version, "-ORBNativeWCharCodeSet", c.server}, {},
      &handler);
  auto client = make_core({"-ORBNativeWCharCodeSet", c.client});
  auto o = server.object_for(*client);
  for (int i = 0; i < 3; ++i) {
    call_text(o, "a", "text", L"A\u20AC\uFEFF");
    EXPECT_EQ(handler.seen_wide, L"A\u20AC\uFEFF");
  }
  if (c.beyond) {
    call_text(o, "a", "text", L"\U0010FFFF\U00010000");
    EXPECT_EQ(handler.seen_wide, L"\U0010FFFF\U00010000");
  } else {
    EXPECT_EQ(caught<CORBA::DATA_CONVERSION>([&] { call_text(o, "a", "text", L"\U00010000"); }).minor(), omg(1));
  }
  client->destroy();
}
INSTANTIATE_TEST_SUITE_P(
    , WideCodeSetsOf,
    ::testing::Values(Wide{"UTF-16", "UTF-16", "1.2", true}, Wide{"UTF-16", "UCS-4", "1.2", true},
                      Wide{"UCS-4", "UTF-16", "1.2", true}, Wide{"UTF-16", "UCS-2", "1.2", false},
                      Wide{"UCS-2", "UCS-4", "1.2", true}, Wide{"UTF-16", "UCS-4", "1.1", true},
                      Wide{"UTF-16", "UCS-2", "1.1", false}, Wide{"UTF-16", "UTF-16", "1.1", true}),
    [](const auto& p) {
      std::string s = std::string(p.param.client) + "_to_" + p.param.server + "_" + p.param.version;
      for (char& ch : s)
        if (!std::isalnum(static_cast<unsigned char>(ch))) ch = '_';
      return s;
    });

// ---- what is told, and what is not understood

std::vector<Byte> narrow_request(const std::string& text, std::optional<giop::CodeSetContext> sets, std::uint32_t id,
                                 ByteOrder order = ByteOrder::Big) {
  Buffer b;
  cdr::Encoder e(b, order);
  giop::OutgoingRequest r;
  r.request_id = id;
  r.response = giop::ResponseFlags::WithTarget;
  r.operation = "narrow";
  r.target = giop::Target::key(bytes_of("echo"));
  giop::ServiceContext context;
  std::array<Byte, 12> data;
  if (sets) {
    data = giop::code_set_context(*sets, order);
    context = {giop::kCodeSetsContext, data};
    r.contexts = {&context, 1};
  }
  const auto s = giop::begin_request(e, giop::kGiop12, r);
  e.put_string(text);
  e.put_octet('c');
  EXPECT_EQ(giop::finish_message(e, s), Fault::None);
  return {b.data(), b.data() + b.size()};
}

TEST(CodeSetContexts, hold_for_the_connection_from_then_on) {
  TextHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &handler);
  RawClient c(*server.core);
  std::uint32_t id = 0;
  const auto heard = [&](const std::string& text, std::optional<giop::CodeSetContext> sets = {}) {
    for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
      c.send(narrow_request(text, sets, ++id, order));
      EXPECT_EQ(c.hear().status, giop::ReplyStatus::NoException);
    }
    return handler.seen;
  };
  EXPECT_EQ(heard("\xE4"), "\xE4") << "ISO 8859-1 for who says nothing";
  EXPECT_EQ(heard("\xE4"), "\xE4") << "by a header that is known";
  EXPECT_EQ(heard("\xC3\xA4", giop::CodeSetContext{ior::kUtf8, ior::kUtf16}), "\xE4");
  EXPECT_EQ(heard("\xC3\xA4"), "\xE4") << "nor is a header known from before";
  EXPECT_EQ(heard("\xC3\xA4"), "\xE4");
  EXPECT_EQ(heard("\xE4", giop::CodeSetContext{ior::kIso8859_1, ior::kUtf16}), "\xE4");
  EXPECT_EQ(heard("\xE4", giop::CodeSetContext{0, 0}), "\xE4") << "0 says nothing";
}

TEST(CodeSetContexts, of_sets_that_were_not_offered_are_incompatible) {
  TextHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &handler);
  RawClient c(*server.core);
  for (const giop::CodeSetContext sets :
       {giop::CodeSetContext{0x10020025, ior::kUtf16}, {ior::kUtf8, 0x00030010}, {ior::kUtf16, 0}}) {
    c.send(narrow_request("a", sets, 1));
    const Heard h = c.hear();
    EXPECT_EQ(h.exception, "IDL:omg.org/CORBA/CODESET_INCOMPATIBLE:1.0");
    EXPECT_EQ(h.minor, omg(2));
    EXPECT_EQ(h.completed, giop::Completion::No);
  }
  EXPECT_EQ(handler.seen, "");
  c.send(narrow_request("a", {}, 2));
  EXPECT_EQ(c.hear().status, giop::ReplyStatus::NoException) << "the connection goes on";
}

TEST(CodeSetContexts, text_that_is_not_in_the_set_is_a_data_conversion) {
  TextHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &handler);
  RawClient c(*server.core);
  c.send(narrow_request("\xC0\xA4", giop::CodeSetContext{ior::kUtf8, ior::kUtf16}, 1));
  const Heard h = c.hear();
  EXPECT_EQ(h.exception, "IDL:omg.org/CORBA/DATA_CONVERSION:1.0");
  EXPECT_EQ(h.minor, omg(1));
  EXPECT_EQ(h.completed, giop::Completion::No);
}

// A reference to the same server whose component says something else.
CORBA::Object_var with_code_sets(EchoServer& server, Core& client, const ior::CodeSetComponent& sets) {
  ior::Ior ior = server.reference->ior();
  auto p = ior::parse_iiop(ior.profiles.at(0).data).value();
  for (auto& c : p.components)
    if (c.tag == ior::kCodeSets) c = ior::code_sets_component(sets);
  ior.profiles.at(0) = ior::to_profile(p);
  return client.string_to_object(ior::to_text(ior).c_str());
}

TEST(CodeSets, without_one_in_common_only_characters_fail) {
  TextHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &handler);
  auto client = make_core();
  auto o = with_code_sets(server, *client, {{0x10020025, {}}, {0x10020025, {}}});
  EXPECT_EQ(echo(o, 5), 5u);
  const auto e = caught<CORBA::CODESET_INCOMPATIBLE>([&] { call_text(o, "a"); });
  EXPECT_EQ(e.minor(), omg(1));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  o = with_code_sets(server, *client, {{ior::kIso8859_1, {}}, {ior::kUtf16, {}}});
  EXPECT_EQ(call_text(o, "\xE4"), "\xE4");
  client->destroy();
}

TEST(CodeSets, may_stand_beside_the_profile_that_they_are_for) {
  TextHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBNativeCharCodeSet", kUtf8}, {}, &handler);
  auto client = make_core({"-ORBNativeCharCodeSet", kUtf8});
  ior::Ior ior = server.reference->ior();
  auto p = ior::parse_iiop(ior.profiles.at(0).data).value();
  std::vector<ior::TaggedComponent> all;
  all.swap(p.components);
  ior.profiles.at(0) = ior::to_profile(p);
  const auto call = [&](const std::vector<Byte>& beside) {
    ior::Ior with = ior;
    with.profiles.push_back({ior::kMultipleComponents, beside});
    CORBA::Object_var o = client->string_to_object(ior::to_text(with).c_str());
    return call_text(o, "\xE2\x82\xAC", "text", L"\u20AC");
  };
  Buffer buffer;
  cdr::Encoder e(buffer, ByteOrder::Big);
  e.put_octet(0);
  ior::encode(e, all);
  e.finish();
  const ByteView bytes = buffer.view();
  EXPECT_EQ(call({bytes.begin(), bytes.end()}), "\xE2\x82\xAC");
  EXPECT_EQ(caught<CORBA::DATA_CONVERSION>([&] {
              call({0, 0, 0});
            }).completed(),
            CORBA::COMPLETED_NO)
      << "as if there were none";
  client->destroy();
}

TEST(CodeSets, are_left_out_of_references_with_CodeSetsInReferences_no) {
  TextHandler handler;
  std::vector<std::string> options = {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBNativeCharCodeSet", kUtf8};
  options.insert(options.end(), {"-ORBCodeSetsInReferences", "no"});
  EchoServer server(options, {}, &handler);
  auto client = make_core();
  const auto o = server.object_for(*client);
  const ior::Ior& ior = o->_callis_reference()->ior();
  const auto profile = ior::parse_iiop(ior.profiles.at(0).data);
  ASSERT_TRUE(profile);
  EXPECT_FALSE(ior::find_code_sets(ior, profile.value()).value());
  EXPECT_FALSE(profile.value().components.empty()) << "the others are there";
  EXPECT_EQ(call_text(o, sample(kLatin1)), sample(kLatin1)) << "which goes as ISO 8859-1";
  EXPECT_EQ(handler.seen, sample(kUtf8));
  EXPECT_EQ(caught<CORBA::INV_OBJREF>([&] { call_text(o, "a", "text", L"b"); }).minor(), omg(1));
  client->destroy();
}

TEST(CodeSets, wide_characters_need_a_server_that_names_a_set_for_them) {
  TextHandler handler;
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &handler);
  auto client = make_core();
  auto o = with_code_sets(server, *client, {{ior::kUtf8, {}}, {0, {}}});
  const auto e = caught<CORBA::INV_OBJREF>([&] { call_text(o, "a", "text", L"a"); });
  EXPECT_EQ(e.minor(), omg(1));
  EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  client->destroy();
}

}  // namespace
}  // namespace callis::orb
