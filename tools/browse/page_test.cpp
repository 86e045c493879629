// SPDX-License-Identifier: Apache-2.0
// The program over raw sockets: what it refuses, what it answers, and that hostile servers' texts are JSON and no
// more.
#include <arpa/inet.h>
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <tools/call/texts.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <future>
#include <thread>
#include "cos_naming_skel.h"
#include "shop_skel.h"

namespace callis::tools {
namespace {

constexpr char kHostile[] = "<script>alert(1)</script>\"\\\x1b[2J&amp;";

class TillServant final : public POA_Shop::Till {
 public:
  char* title() override { return CORBA::string_dup(kHostile); }
  void title(const char*) override {}
  char* echo(const char* text) override { return CORBA::string_dup(text); }
  Shop::Items* order(const Shop::Items& all, const Shop::Payment&, CORBA::Long& count) override {
    if (all.length() == 0) throw Shop::SoldOut(kHostile);
    count += static_cast<CORBA::Long>(all.length());
    return new Shop::Items(all);
  }
  Shop::Tree* grow(const Shop::Tree& root, const Shop::Bytes&, const CORBA::Any&, Shop::Till_ptr) override {
    return new Shop::Tree(root);
  }
  void fail() override { throw CORBA::NO_PERMISSION(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO); }
  void note(const char* text) override { noted.set_value(text); }
  std::promise<std::string> noted;
};

// A naming context with two names, in two parts.
class ContextServant final : public POA_CosNaming::NamingContext {
 public:
  ContextServant(PortableServer::POA_ptr poa, CORBA::Object_ptr till)
      : poa_(PortableServer::POA::_duplicate(poa)), till_(CORBA::Object::_duplicate(till)) {}
  CORBA::Object_ptr resolve(const CosNaming::Name& name) override {
    if (std::string_view(name[0].id) == "till.1") return CORBA::Object::_duplicate(till_.in());
    throw CosNaming::NamingContext::NotFound(CosNaming::NamingContext::missing_node, name);
  }
  void list(CORBA::ULong, CosNaming::BindingList_out bl, CosNaming::BindingIterator_out bi) override {
    bl = new CosNaming::BindingList(bindings("till.1", CosNaming::nobject));
    const PortableServer::Servant_var<Rest> rest(new Rest);
    const PortableServer::ObjectId_var id = poa_->activate_object(rest.in());
    const CORBA::Object_var object = poa_->id_to_reference(id.in());
    bi = CosNaming::BindingIterator::_narrow(object.in());
  }

 private:
  static CosNaming::BindingList bindings(const char* id, CosNaming::BindingType type) {
    CosNaming::BindingList list;
    list.length(1);
    list[0].binding_name.length(1);
    list[0].binding_name[0].id = CORBA::string_dup(id);
    list[0].binding_type = type;
    return list;
  }
  struct Rest final : POA_CosNaming::BindingIterator {
    CORBA::Boolean next_n(CORBA::ULong, CosNaming::BindingList_out bl) override {
      const bool more = !std::exchange(given, true);
      bl = more ? new CosNaming::BindingList(bindings(kHostile, CosNaming::ncontext)) : new CosNaming::BindingList;
      return more;
    }
    void destroy() override {}
    bool given = false;
  };
  const PortableServer::POA_var poa_;
  const CORBA::Object_var till_;
};

// A child that has printed its address.
class Browse {
 public:
  explicit Browse(const std::vector<std::string>& words) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(ends[1], 1);
      std::vector<const char*> argv{CALLIS_BINARY_DIR "/bin/callis-browse"};
      for (const std::string& w : words) argv.push_back(w.c_str());
      argv.push_back(nullptr);
      ::execv(argv[0], const_cast<char**>(argv.data()));
      ::_exit(127);
    }
    ::close(ends[1]);
    for (char c; ::read(ends[0], &c, 1) == 1 && c != '\n';) address += c;
    ::close(ends[0]);
    const std::size_t colon = address.rfind(':'), slash = address.find('/', colon);
    if (slash == std::string::npos) return;
    port = static_cast<std::uint16_t>(std::stoul(address.substr(colon + 1)));
    base = address.substr(slash);
  }
  ~Browse() { EXPECT_EQ(end(), 0); }
  int end() {
    if (child_ <= 0) return 0;
    ::kill(child_, SIGTERM);
    int status = 0;
    ::waitpid(std::exchange(child_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  int connect() const {
    const int s = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(s, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    return s;
  }
  // All that comes until the server closes.
  std::string send(const std::string& request, bool half_closes = false) const {
    const int s = connect();
    for (std::size_t at = 0; at < request.size();) {
      const ssize_t n = ::send(s, request.data() + at, request.size() - at, MSG_NOSIGNAL);
      if (n <= 0) break;  // it has answered already
      at += static_cast<std::size_t>(n);
    }
    if (half_closes) ::shutdown(s, SHUT_WR);
    std::string all;
    char buffer[65536];
    for (ssize_t n; (n = ::recv(s, buffer, sizeof buffer, 0)) > 0;) all.append(buffer, static_cast<std::size_t>(n));
    ::close(s);
    return all;
  }
  std::string host() const { return "Host: 127.0.0.1:" + std::to_string(port) + "\r\n"; }
  std::string get(const std::string& path, const std::string& headers) const {
    return send("GET " + path + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n");
  }
  std::string post(const std::string& path, const std::string& body, const std::string& more = "") const {
    return send("POST " + path + " HTTP/1.1\r\n" + host() + more +
                "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
                "\r\nConnection: close\r\n\r\n" + body);
  }

  std::string address, base;
  std::uint16_t port = 0;

 private:
  pid_t child_ = 0;
};

int status_of(const std::string& answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
}
std::string body_of(const std::string& answer) {
  const std::size_t at = answer.find("\r\n\r\n");
  return at == std::string::npos ? "" : answer.substr(at + 4);
}

struct PageServer : ::testing::Test {
  CORBA::ORB_var orb;
  PortableServer::POA_var poa;
  PortableServer::Servant_var<TillServant> till{new TillServant};
  PortableServer::ServantBase_var context;
  std::string till_text, context_text;
  std::unique_ptr<Browse> browse;

  PageServer() {
    static int number = 0;
    std::vector<std::string> words{"server", "-ORBEndpoint", "tcp:127.0.0.1:0"};
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    int argc = static_cast<int>(argv.size());
    argv.push_back(nullptr);
    orb = CORBA::ORB_init(argc, argv.data(), ("browse" + std::to_string(++number)).c_str());
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    poa = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    object = activate(till.in());
    till_text = CORBA::String_var(orb->object_to_string(object.in())).in();
    context = new ContextServant(poa.in(), object.in());
    object = activate(context.in());
    context_text = CORBA::String_var(orb->object_to_string(object.in())).in();
    browse = std::make_unique<Browse>(std::vector<std::string>{till_text, context_text, "--idl",
                                                               CALLIS_SOURCE_DIR "/tools/browse/testing/shop.idl"});
  }
  ~PageServer() override {
    browse.reset();
    orb->destroy();
  }
  CORBA::Object_var activate(PortableServer::Servant servant) {
    const PortableServer::ObjectId_var id = poa->activate_object(servant);
    return poa->id_to_reference(id.in());
  }
  Json ask(const std::string& name, const Json& input, int status = 200) {
    const std::string answer = browse->post(browse->base + "api/" + name, to_text(input, false));
    EXPECT_EQ(status_of(answer), status) << answer;
    const auto parsed = parse_json(body_of(answer));
    EXPECT_TRUE(std::holds_alternative<Json>(parsed)) << answer;
    return std::holds_alternative<Json>(parsed) ? std::get<Json>(parsed) : Json::object();
  }
  static Json object(const std::vector<std::pair<std::string, std::string>>& members) {
    Json out = Json::object();
    for (const auto& [name, value] : members) out.add(name, Json::string(value));
    return out;
  }
  Json call(const std::string& operation, const std::string& arguments) {
    return ask("call", object({{"reference", till_text}, {"operation", operation}, {"arguments", arguments}}));
  }
  static std::string text(const Json& of, const char* name) {
    const Json* const found = of.find(name);
    return found ? found->text : "(none)";
  }
};

TEST_F(PageServer, gives_the_page_with_what_keeps_it_closed) {
  const std::string page = browse->get(browse->base, browse->host());
  EXPECT_EQ(status_of(page), 200);
  EXPECT_NE(page.find("Content-Security-Policy: default-src 'none'; script-src 'self';"), std::string::npos);
  for (const char* header : {"X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
                             "Cache-Control: no-store", "Content-Type: text/html; charset=utf-8"})
    EXPECT_NE(page.find(header), std::string::npos) << header;
  EXPECT_EQ(status_of(browse->get(browse->base + "form.js", browse->host())), 200);
  EXPECT_EQ(status_of(browse->get(browse->base + "passwd", browse->host())), 404);
}

TEST_F(PageServer, is_closed_to_all_who_do_not_know_its_address) {
  const std::string port = std::to_string(browse->port);
  EXPECT_EQ(status_of(browse->get("/", browse->host())), 403);
  EXPECT_EQ(status_of(browse->get("/00000000000000000000000000000000/", browse->host())), 403);
  EXPECT_EQ(status_of(browse->get(browse->base, "Host: evil.example:" + port + "\r\n")), 403);
  EXPECT_EQ(status_of(browse->get(browse->base, "Host: 127.0.0.1\r\n")), 403);
  EXPECT_EQ(status_of(browse->get(browse->base, browse->host() + "Origin: http://evil.example\r\n")), 403);
  EXPECT_EQ(status_of(browse->post(browse->base + "api/roots", "{}", "Origin: null\r\n")), 403);
  EXPECT_EQ(status_of(browse->post(browse->base + "api/roots", "{}", "Sec-Fetch-Site: cross-site\r\n")), 403);
  EXPECT_EQ(status_of(browse->post(browse->base + "api/roots", "{}", "Origin: http://127.0.0.1:" + port + "\r\n")),
            200);
}

TEST_F(PageServer, listens_at_the_loopback_interface_only) {
  char line[512];
  std::string listens;
  char hex[8];
  std::snprintf(hex, sizeof hex, ":%04X", browse->port);
  std::FILE* const table = std::fopen("/proc/net/tcp", "r");
  while (std::fgets(line, sizeof line, table)) {
    const std::string_view l(line);
    if (l.find(std::string(hex) + " 00000000:0000 0A") != std::string_view::npos) listens += l;
  }
  std::fclose(table);
  EXPECT_NE(listens.find("0100007F"), std::string::npos) << listens;
  EXPECT_EQ(std::count(listens.begin(), listens.end(), '\n'), 1);
}

TEST_F(PageServer, bounds_what_it_reads) {
  const std::string path = browse->base + "api/roots", type = "Content-Type: application/json\r\n";
  EXPECT_EQ(status_of(browse->post(path, std::string((4u << 20) + 1, ' '))), 413);
  EXPECT_EQ(status_of(browse->send("POST " + path + " HTTP/1.1\r\n" + browse->host() + type +
                                   "Content-Length: 99999999999\r\nConnection: close\r\n\r\n")),
            413);
  std::string chunks;
  for (int i = 0; i < 5; ++i) chunks += "100000\r\n" + std::string(1u << 20, ' ') + "\r\n";
  EXPECT_EQ(status_of(browse->send("POST " + path + " HTTP/1.1\r\n" + browse->host() + type +
                                   "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunks + "0\r\n\r\n")),
            413);
  const int many = status_of(browse->get(browse->base, browse->host() + "X: " + std::string(100'000, 'x') + "\r\n"));
  EXPECT_TRUE(many == 0 || many >= 400) << many;
  EXPECT_EQ(status_of(browse->get(browse->base, browse->host())), 200) << "and goes on";
}

TEST_F(PageServer, answers_while_others_keep_connections_open) {
  // The first byte of a request each, and no more.
  std::vector<int> sockets(100);
  for (int& s : sockets) {
    s = browse->connect();
    EXPECT_EQ(::send(s, "G", 1, MSG_NOSIGNAL), 1);
  }
  // Those that have to go may still be on their way.
  int status = 0;
  for (int i = 0; i < 1000 && status != 200; ++i) status = status_of(browse->get(browse->base, browse->host()));
  EXPECT_EQ(status, 200);
  for (const int s : sockets) ::close(s);
}

TEST_F(PageServer, refuses_what_is_malformed) {
  const std::string path = browse->base + "api/call";
  for (const char* body : {"", "{", "[]", "5", "{\"reference\":5}", "{}", "{\"reference\":\"x\",\"reference\":\"y\"}",
                           "{\"context\":\"corbaloc::127.0.0.1:1/x\",\"component\":[\"!\",5]}"})
    EXPECT_EQ(status_of(browse->post(path, body)), 400) << body;
  EXPECT_EQ(status_of(browse->post(path, std::string(100'000, '['))), 400);
  const char* const cut = "{\"reference\":\"corbaloc::127.0.0.1:1/x\\u0000y\"}";
  EXPECT_EQ(status_of(browse->post(browse->base + "api/look", cut)), 400) << "not what stands before the NUL";
  EXPECT_EQ(status_of(browse->post(browse->base + "api/nothing", "{}")), 404);
  EXPECT_EQ(status_of(browse->post(browse->base + "roots", "{}")), 404);
  EXPECT_EQ(
      status_of(browse->send("PUT " + browse->base + " HTTP/1.1\r\n" + browse->host() + "Connection: close\r\n\r\n")),
      405);
  EXPECT_EQ(status_of(browse->send("POST " + path + " HTTP/1.1\r\n" + browse->host() +
                                   "Content-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")),
            415);
  for (const char* noise : {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01\r\n\r\n"}) {
    const int status = status_of(browse->send(noise, true));
    EXPECT_NE(status, 200) << noise;
    if (status == 0) continue;
    EXPECT_GE(status, 400) << noise;
  }
}

TEST_F(PageServer, shows_objects_and_their_operations) {
  const Json roots = ask("roots", object({}));
  ASSERT_EQ(roots.find("roots")->items.size(), 2u);
  const Json found = ask("look", object({{"reference", till_text}}));
  EXPECT_EQ(text(found, "type_id"), "IDL:Shop/Till:1.0");
  EXPECT_FALSE(found.find("context")->truth);
  EXPECT_EQ(found.find("interface")->find("operations")->items.size(), 7u);
  const Json names = ask("look", object({{"reference", context_text}}));
  EXPECT_TRUE(names.find("context")->truth);
  EXPECT_EQ(names.find("interface")->kind, Json::Kind::Null) << "the IDL has none";
  EXPECT_NE(text(names, "problem").find("none of the interfaces"), std::string::npos);
  EXPECT_NE(text(ask("look", object({{"reference", "corbaloc::127.0.0.1:1/x"}})), "problem").find("TRANSIENT"),
            std::string::npos);
  EXPECT_NE(text(ask("look", object({{"reference", "no reference"}})), "error"), "(none)");
}

TEST_F(PageServer, shows_names_as_text_whatever_they_are) {
  const Json input = object({{"reference", context_text}});
  const std::string answer = browse->post(browse->base + "api/list", to_text(input, false));
  EXPECT_NE(answer.find("Content-Type: application/json"), std::string::npos);
  EXPECT_EQ(answer.find('\x1b'), std::string::npos) << "an escape, not a character that controls";
  const Json list = ask("list", input);
  const std::vector<Json>& bindings = list.find("bindings")->items;
  ASSERT_EQ(bindings.size(), 2u);
  EXPECT_TRUE(bindings[0].find("context")->truth) << "contexts first";
  EXPECT_TRUE(text(bindings[0], "name").starts_with("<script>alert(1)<\\/script>")) << text(bindings[0], "name");
  EXPECT_EQ(text(bindings[1], "name"), "till\\.1");
  Json found = object({{"context", context_text}});
  found.add("component", *bindings[1].find("component"));
  EXPECT_EQ(text(ask("look", found), "type_id"), "IDL:Shop/Till:1.0");
  Json lost = object({{"context", context_text}});
  lost.add("component", *bindings[0].find("component"));
  EXPECT_NE(text(ask("look", lost), "error").find("NotFound"), std::string::npos);
}

TEST_F(PageServer, calls) {
  const Json echo = call("echo", R"(["a\u00e9"])");
  EXPECT_EQ(text(echo, "status"), "result");
  EXPECT_EQ(text(echo, "output"), "\"a\xc3\xa9\"");
  EXPECT_NE(echo.find("nanoseconds"), nullptr);
  EXPECT_EQ(text(echo, "command"), "callis call " + till_text +
                                       " echo '\"a\xc3\xa9\"' --idl " CALLIS_SOURCE_DIR
                                       "/tools/browse/testing/shop.idl");
  EXPECT_EQ(text(call("_get_title", "[]"), "status"), "result");
  const Json order = call("order", R"([[{"name":"tea","number":9007199254740993,"measure":"large"}],)"
                                   R"({"discriminator":"small","value":1.5},1])");
  EXPECT_EQ(text(order, "status"), "result") << text(order, "text");
  EXPECT_NE(text(order, "output").find("9007199254740993"), std::string::npos);
  EXPECT_NE(text(order, "output").find("\"count\": 2"), std::string::npos);
  auto noted = till->noted.get_future();
  EXPECT_EQ(text(call("note", R"(["seen"])"), "status"), "sent");
  EXPECT_EQ(noted.get(), "seen");
}

TEST_F(PageServer, tells_what_went_wrong) {
  const Json user = call("order", R"([[],{"discriminator":"small","value":1.5},1])");
  EXPECT_EQ(text(user, "status"), "user");
  EXPECT_EQ(text(user, "name"), "IDL:Shop/SoldOut:1.0");
  EXPECT_NE(text(user, "output").find("<script>alert(1)</script>"), std::string::npos);
  EXPECT_EQ(text(user, "output").find('\x1b'), std::string::npos);
  const Json system = call("fail", "[]");
  EXPECT_EQ(text(system, "status"), "system");
  EXPECT_EQ(text(system, "name"), "NO_PERMISSION");
  EXPECT_EQ(text(system, "minor"), std::to_string(CORBA::OMGVMCID | 1));
  EXPECT_EQ(text(system, "completed"), "no");
  EXPECT_NE(text(system, "text").find("to try next"), std::string::npos);
  const Json wrong = call("echo", "[5]");
  EXPECT_EQ(text(wrong, "status"), "wrong");
  EXPECT_NE(text(wrong, "text").find("arguments.text: expected a string, found the number 5"), std::string::npos);
  EXPECT_EQ(text(call("echo", "[oops"), "status"), "wrong");
  EXPECT_NE(text(call("<script>", "[]"), "text").find("has no operation"), std::string::npos);
}

TEST_F(PageServer, quotes_what_a_shell_would_read) {
  const Json echo = call("echo", R"(["it's $(rm -rf /) `x`"])");
  EXPECT_NE(text(echo, "command").find(R"( '"it'\''s $(rm -rf /) `x`"' )"), std::string::npos)
      << text(echo, "command");
}

TEST_F(PageServer, serves_many_at_a_time) {
  std::vector<std::jthread> callers;
  std::atomic<int> good{0};
  for (int i = 0; i < 6; ++i) {
    callers.emplace_back([&] {
      for (int k = 0; k < 20; ++k) {
        const Json input = object({{"reference", till_text}, {"operation", "echo"}, {"arguments", "[\"x\"]"}});
        const std::string answer = browse->post(browse->base + "api/call", to_text(input, false));
        if (status_of(answer) == 200) ++good;
      }
    });
  }
  callers.clear();
  EXPECT_EQ(good, 120);
}

}  // namespace
}  // namespace callis::tools
