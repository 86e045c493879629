// SPDX-License-Identifier: Apache-2.0
// Names in a naming service as text, "corbaname:" against a naming context made by hand, and initial references that
// come from -ORBInitRef and -ORBDefaultInitRef.
#include <gtest/gtest.h>
#include <callis/base/text.h>
#include <callis/orb/core/corbaname.h>
#include <callis/orb/testing/client.h>
#include <callis/orb/testing/scripted_peer.h>
#include <callis/transport/transport.h>
#include <random>

namespace callis::orb {
namespace {

using namespace testing;
using Names = std::vector<NameComponent>;

Names parsed(std::string_view text) {
  Names out;
  EXPECT_EQ(parse_name(text, out), "") << text;
  return out;
}
std::string wrong(std::string_view text) {
  Names out;
  return parse_name(text, out);
}

// Naming Service 1.3, 2.4
TEST(StringifiedName, has_components_of_id_and_kind) {
  EXPECT_EQ(parsed("a/b.c/d."  "e"), (Names{{"a", ""}, {"b", "c"}, {"d", "e"}}));
  EXPECT_EQ(parsed(".k"), (Names{{"", "k"}}));
  EXPECT_EQ(parsed("."), (Names{{"", ""}}));
  EXPECT_EQ(parsed("a/./b"), (Names{{"a", ""}, {"", ""}, {"b", ""}}));
}
TEST(StringifiedName, escapes_its_separators) {
  EXPECT_EQ(parsed("a\\/b.c\\.d/\\\\"), (Names{{"a/b", "c.d"}, {"\\", ""}}));
}
TEST(StringifiedName, refuses_what_is_none) {
  for (const char* empty : {"", "/", "a/", "/a", "a//b"}) EXPECT_EQ(wrong(empty), "an empty component") << empty;
  for (const char* trailing : {"a.", "a./b"}) EXPECT_EQ(wrong(trailing), "'.' at the end of a component") << trailing;
  for (const char* second : {"a.b.c", "..", "a.."}) EXPECT_EQ(wrong(second), "a second '.' in a component") << second;
  for (const char* escape : {"\\", "a\\b", "a\\"})
    EXPECT_EQ(wrong(escape), "'\\' is not followed by '/', '.' or '\\'") << escape;
  EXPECT_EQ(wrong(std::string_view("a\0b", 3)), "a zero byte");
}
TEST(StringifiedName, any_text_is_a_name_or_none) {
  std::mt19937 random(11);
  std::size_t good = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string s;
    for (auto n = random() % 12; n != 0; --n) s += "ab./\\"[random() % 5];
    Names out;
    if (!parse_name(s, out).empty()) continue;
    ++good;
    std::string back;  // and back again
    for (const NameComponent& c : out) {
      const auto put = [&back](const std::string& part) {
        for (const char l : part) (l == '/' || l == '.' || l == '\\' ? back += '\\' : back) += l;
      };
      if (!back.empty()) back += '/';
      put(c.id);
      if (!c.kind.empty() || c.id.empty()) back += '.';
      put(c.kind);
    }
    EXPECT_EQ(back, s);
  }
  EXPECT_GT(good, 1000u);
}

// A naming context with one name, "shop.dir/echo", for its own "echo" object.
class NamingServer {
 public:
  NamingServer() : server_({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &handler_) { handler_.server = &server_; }
  std::string url(const char* rest) const { return concat({"corbaname::127.0.0.1:", Decimal(server_.port()), rest}); }
  std::uint16_t port() const { return server_.port(); }

 private:
  struct Handler final : EchoHandler {
    EchoServer* server = nullptr;

    void handle(ServerRequest& r) noexcept override {
      if (r.operation() != "resolve") return EchoHandler::handle(r);
      const std::string_view key(reinterpret_cast<const char*>(r.object_key().data()), r.object_key().size());
      if (key != "NameService") return r.system_exception(CORBA::OBJECT_NOT_EXIST(omg(2), CORBA::COMPLETED_NO));
      Names name(r.arguments().get_ulong());
      for (NameComponent& c : name) {
        c.id = r.arguments().get_string();
        c.kind = r.arguments().get_string();
      }
      if (name == Names{{"shop", "dir"}, {"echo", ""}}) return ior::encode(r.reply(), server->reference->ior());
      if (name.size() == 3) {
        r.user_exception("IDL:omg.org/CosNaming/NamingContext/CannotProceed:1.0");
        return;
      }
      auto& e = r.user_exception("IDL:omg.org/CosNaming/NamingContext/NotFound:1.0");
      e.put_ulong(name.size() == 2 ? 1 : 0);
      e.put_ulong(0);
    }
  } handler_;
  EchoServer server_;
};

struct NamingClient : Client {
  using Client::Client;
  CORBA::Object_var initial(const char* id) { return core->resolve_initial_references(id); }
  CORBA::BAD_PARAM failure(const std::string& text) {
    return caught<CORBA::BAD_PARAM>([&] { object(text); });
  }
};

TEST(Corbaname, resolves_a_name_in_the_context_of_the_address) {
  NamingServer naming;
  NamingClient client;
  EXPECT_EQ(echo(client.object(naming.url("#shop.dir/echo")), 7), 7u);
  EXPECT_EQ(echo(client.object(naming.url("/NameService#shop.dir/echo")), 7), 7u);
  EXPECT_EQ(echo(client.object(naming.url("#sh%6fp.dir/echo")), 7), 7u);
}

TEST(Corbaname, without_a_name_is_the_context) {
  NamingClient client;
  CORBA::Object_var context = client.object("corbaname::h:1"), same = client.object("corbaloc::h:1/NameService");
  EXPECT_TRUE(context->_is_equivalent(same));
}

TEST(Corbaname, says_what_the_naming_service_said) {
  NamingServer naming;
  NamingClient client;
  const auto missing = client.failure(naming.url("#nothing"));
  EXPECT_EQ(missing.minor(), omg(10));
  EXPECT_NE(std::string_view(missing.what()).find("NotFound (missing node)"), std::string_view::npos)
      << missing.what();
  EXPECT_NE(std::string_view(client.failure(naming.url("#a/b")).what()).find("NotFound (not a context)"),
            std::string_view::npos);
  EXPECT_NE(std::string_view(client.failure(naming.url("#a/b/c")).what()).find("CannotProceed"),
            std::string_view::npos);
}

TEST(Corbaname, of_a_bad_name_is_refused_without_a_call) {
  NamingClient client;
  for (const char* bad : {"#a//b", "#a.", "#a%5cb", "#/"})
    EXPECT_EQ(client.failure(concat({"corbaname::127.0.0.1:1", bad})).minor(), omg(9)) << bad;
}

TEST(Corbaname, lets_system_exceptions_through) {
  NamingServer naming;
  NamingClient client;
  caught<CORBA::TRANSIENT>([&] { client.object("corbaname::127.0.0.1:1#a"); });
  caught<CORBA::OBJECT_NOT_EXIST>([&] { client.object(naming.url("/Other#a")); });
}

TEST(Corbaname, of_rir_uses_the_initial_reference) {
  NamingServer naming;
  NamingClient client({"-ORBInitRef",
                       concat({"NameService=corbaloc::127.0.0.1:", Decimal(naming.port()), "/NameService"}),
                       "-ORBInitRef", "Shop=corbaname:rir:#shop.dir/echo"});
  EXPECT_EQ(echo(client.object("corbaname:rir:#shop.dir/echo"), 7), 7u);
  EXPECT_EQ(echo(client.object("corbaloc:rir:/Shop"), 7), 7u);
  EXPECT_EQ(client.failure("corbaname:rir:/Nothing#a").minor(), omg(9));
}

TEST(InitialReferences, that_are_not_known_are_named_with_the_option_that_helps) {
  NamingClient client;
  try {
    const CORBA::Object_var none(client.core->resolve_initial_references("NameServiec"));
    FAIL();
  } catch (const CORBA::ORB::InvalidName& e) {
    EXPECT_NE(std::string_view(e.what()).find("NameServiec: -ORBInitRef NameServiec=URI"), std::string_view::npos)
        << e.what();
  }
  for (const char* url : {"corbaloc:rir:/Trader", "corbaname:rir:/Trader#a/b"}) {
    const CORBA::BAD_PARAM e = client.failure(url);
    EXPECT_NE(std::string_view(e.what()).find("-ORBInitRef Trader=URI"), std::string_view::npos) << e.what();
  }
}

TEST(InitialReferences, of_libraries_that_the_program_lacks_are_named_with_the_library) {
  NamingClient client;
  try {
    const CORBA::Object_var none(client.core->resolve_initial_references("RTORB"));
    FAIL();
  } catch (const CORBA::ORB::InvalidName& e) {
    EXPECT_NE(std::string_view(e.what()).find("<callis/rt.h>, callis::rt"), std::string_view::npos) << e.what();
  }
}

TEST(DefaultInitRef, is_what_initial_references_stand_below) {
  NamingClient client({"-ORBDefaultInitRef", "corbaloc::h:1"});
  CORBA::Object_var found = client.initial("A b/c"), same = client.object("corbaloc::h:1/A%20b/c");
  EXPECT_TRUE(found->_is_equivalent(same));
  caught<CORBA::ORB::InvalidName>([&] { client.initial(""); });
}

TEST(DefaultInitRef, may_be_a_naming_context_or_a_socket) {
  NamingServer naming;
  NamingClient named({"-ORBDefaultInitRef", naming.url("#shop.dir")});
  EXPECT_EQ(echo(named.initial("echo"), 7), 7u);
  NamingClient socket({"-ORBDefaultInitRef", "corbaloc:uiop:/run/s"});
  CORBA::Object_var found = socket.initial("X"), same = socket.object("corbaloc:uiop:/run/s|X");
  EXPECT_TRUE(found->_is_equivalent(same));
}

TEST(DefaultInitRef, comes_after_InitRef_and_what_is_registered) {  // CORBA 3.0, 4.5.3.3
  NamingClient client({"-ORBDefaultInitRef", "corbaloc::default:1", "-ORBInitRef", "A=corbaloc::a:1/A", "-ORBInitRef",
                       "B=corbaloc::b:1/B"});
  CORBA::Object_var registered = client.object("corbaloc::registered:1/B");
  client.core->register_initial_reference("B", registered);
  CORBA::Object_var a = client.object("corbaloc::a:1/A");
  EXPECT_TRUE(client.initial("A")->_is_equivalent(a));
  EXPECT_TRUE(client.initial("B")->_is_equivalent(registered));
}

TEST(InitialReferenceLoops, end) {
  NamingClient client({"-ORBInitRef", "A=corbaloc:rir:/B", "-ORBInitRef", "B=corbaloc:rir:/A"});
  EXPECT_EQ(caught<CORBA::BAD_PARAM>([&] { client.initial("A"); }).minor(), omg(10));
  NamingClient by_default({"-ORBDefaultInitRef", "corbaname:rir:"});
  EXPECT_EQ(caught<CORBA::BAD_PARAM>([&] { by_default.initial("A"); }).minor(), omg(10));
}

}  // namespace
}  // namespace callis::orb
