// SPDX-License-Identifier: Apache-2.0
// The service over sockets, by the clauses of Naming Service 1.3.
#include <callis/orb/client/reference.h>
#include <services/naming/testing/serving.h>
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>
#include <functional>
#include <set>

namespace callis::naming {
namespace {

using testing::name_of;
using testing::Serving;
using Context = CosNaming::NamingContext;

std::string text_of(const CosNaming::Name& name) {
  std::vector<Component> out;
  for (CORBA::ULong i = 0; i < name.length(); ++i) out.push_back({name[i].id.in(), name[i].kind.in()});
  return to_text(Path(out));
}

// What NotFound says: "missing_node a/b".
template <class F>
std::string not_found(F&& f) {
  try {
    f();
  } catch (const Context::NotFound& e) {
    const char* const words[] = {"missing_node ", "not_context ", "not_object "};
    return words[e.why] + text_of(e.rest_of_name);
  }
  return "found";
}

TEST(NamingContext, resolves_what_was_bound) {  // 2.2.2
  Serving s;
  const CORBA::Object_var thing = s.object();
  s.root->bind(name_of("a.k"), thing.in());
  CORBA::Object_var found = s.root->resolve(name_of("a.k"));
  EXPECT_TRUE(found->_is_equivalent(thing.in()));
  found = s.root->resolve_str("a.k");
  EXPECT_TRUE(found->_is_equivalent(thing.in()));
  EXPECT_THROW(s.root->bind(name_of("a.k"), thing.in()), Context::AlreadyBound);
  const CORBA::Object_var other = s.object("corbaloc::127.0.0.1:2/other");
  s.root->rebind(name_of("a.k"), other.in());
  found = s.root->resolve(name_of("a.k"));
  EXPECT_TRUE(found->_is_equivalent(other.in()));
  s.root->unbind(name_of("a.k"));
  EXPECT_EQ(not_found([&] { s.root->resolve(name_of("a.k")); }), "missing_node a.k");
}

TEST(NamingContext, keeps_a_nil_object_but_no_nil_context) {
  Serving s;
  s.root->bind(name_of("nil"), CORBA::Object::_nil());
  EXPECT_TRUE(CORBA::is_nil(CORBA::Object_var(s.root->resolve(name_of("nil"))).in()));
  EXPECT_THROW(s.root->bind_context(name_of("c"), Context::_nil()), CORBA::BAD_PARAM);
}

TEST(NamingContext, is_a_NamingContextExt_and_reached_by_its_key) {
  Serving s;
  EXPECT_TRUE(s.root->_is_a("IDL:omg.org/CosNaming/NamingContext:1.0"));
  const auto read = ior::parse_reference(s.ior);
  const auto profile = ior::parse_iiop(std::get<ior::Ior>(read).profiles.at(0).data);
  const std::string port = std::to_string(profile.value().address.port);
  const auto by_key = s.at("corbaloc::127.0.0.1:" + port + "/NameService");
  by_key->bind(name_of("x"), s.object().in());
  EXPECT_NO_THROW(CORBA::release(s.root->resolve(name_of("x"))));
  EXPECT_NO_THROW((void)s.object("corbaname::127.0.0.1:" + port + "#x"));
}

TEST(NamingContext, refuses_names_without_components_and_says_where_others_end) {
  Serving s;
  const CORBA::Object_var thing = s.object();
  EXPECT_THROW(s.root->resolve(CosNaming::Name()), Context::InvalidName);
  EXPECT_THROW(s.root->bind(CosNaming::Name(), thing.in()), Context::InvalidName);
  EXPECT_THROW(s.root->unbind(CosNaming::Name()), Context::InvalidName);
  EXPECT_THROW(s.root->bind_new_context(CosNaming::Name()), Context::InvalidName);
  EXPECT_THROW(s.root->resolve_str(""), Context::InvalidName);
  Context::_var_type a = s.root->bind_new_context(name_of("a"));
  Context::_var_type b = s.root->bind_new_context(name_of("a/b"));
  b->bind(name_of("o"), thing.in());
  EXPECT_EQ(not_found([&] { s.root->resolve(name_of("a/x/y")); }), "missing_node x/y");
  EXPECT_EQ(not_found([&] { s.root->resolve(name_of("a/b/o/p")); }), "not_context o/p");
  EXPECT_EQ(not_found([&] { s.root->rebind(name_of("a/b"), thing.in()); }), "not_object b");
  EXPECT_EQ(not_found([&] { s.root->rebind_context(name_of("a/b/o"), a.in()); }), "not_context o");
  EXPECT_EQ(not_found([&] { s.root->bind(name_of("x/y"), thing.in()); }), "missing_node x/y");
}

TEST(NamingContext, knows_contexts_of_its_own_by_their_references) {
  Serving s;
  Context::_var_type made = s.root->new_context();
  s.root->bind_context(name_of("c"), made.in());
  s.root->bind(name_of("c/x"), s.object().in());
  EXPECT_NO_THROW(CORBA::Object_var(made->resolve(name_of("x"))));
  // A circle, which a name leads through as often as it says.
  made->bind_context(name_of("up"), s.root.in());
  EXPECT_NO_THROW(CORBA::Object_var(s.root->resolve(name_of("c/up/c/up/c/x"))));
  EXPECT_THROW(made->destroy(), Context::NotEmpty);
  made->unbind(name_of("x"));
  made->unbind(name_of("up"));
  made->destroy();
  EXPECT_THROW(made->resolve(name_of("x")), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(made->destroy(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(made->new_context(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(s.root->destroy(), CORBA::NO_PERMISSION);
}

TEST(NamingContext, lists_in_parts) {  // 2.2.2.6, 2.2.3
  Serving s;
  for (int i = 0; i < 10; ++i) s.root->bind(name_of("o" + std::to_string(i)), s.object().in());
  Context::_var_type made = s.root->bind_new_context(name_of("c"));
  CosNaming::BindingList_var list;
  CosNaming::BindingIterator_var rest;
  s.root->list(20, list.out(), rest.out());
  EXPECT_EQ(list->length(), 11u);
  EXPECT_TRUE(CORBA::is_nil(rest.in()));
  s.root->list(0, list.out(), rest.out());
  EXPECT_EQ(list->length(), 0u);
  std::set<std::string> seen;
  CosNaming::Binding_var one;
  EXPECT_TRUE(rest->next_one(one.out()));
  seen.insert(text_of(one->binding_name));
  s.root->unbind(name_of("o3"));  // is in the list as it was
  EXPECT_THROW(rest->next_n(0, list.out()), CORBA::BAD_PARAM);
  while (rest->next_n(4, list.out())) {
    EXPECT_LE(list->length(), 4u);
    for (CORBA::ULong i = 0; i < list->length(); ++i) {
      const std::string text = text_of(list[i].binding_name);
      seen.insert(text);
      EXPECT_EQ(list[i].binding_type == CosNaming::ncontext, text == "c");
    }
  }
  EXPECT_EQ(list->length(), 0u);
  EXPECT_EQ(seen.size(), 11u);
  EXPECT_FALSE(rest->next_one(one.out()));
  rest->destroy();
  EXPECT_THROW(rest->next_one(one.out()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(rest->destroy(), CORBA::OBJECT_NOT_EXIST);
}

TEST(NamingContext, of_a_readonly_service_changes_nothing) {
  testing::Cluster cluster;
  Serving writing({}, &cluster);
  writing.root->bind(name_of("x"), writing.object().in());
  ServiceOptions options;
  options.readonly = true;
  Serving s(options, &cluster);
  EXPECT_NO_THROW(CORBA::release(s.root->resolve(name_of("x"))));
  EXPECT_THROW(s.root->bind(name_of("y"), s.object().in()), CORBA::NO_PERMISSION);
  EXPECT_THROW(s.root->rebind(name_of("x"), s.object().in()), CORBA::NO_PERMISSION);
  EXPECT_THROW(s.root->unbind(name_of("x")), CORBA::NO_PERMISSION);
  EXPECT_THROW(s.root->new_context(), CORBA::NO_PERMISSION);
  EXPECT_THROW(s.root->bind_new_context(name_of("c")), CORBA::NO_PERMISSION);
  EXPECT_THROW(s.root->bind_context(name_of("c"), s.root.in()), CORBA::NO_PERMISSION);
}

TEST(NamingContext, says_what_the_store_says) {
  Serving s;
  s.cluster.fail = true;
  EXPECT_THROW(s.root->bind(name_of("x"), s.object().in()), CORBA::TRANSIENT);
  s.cluster.fail = false;
  EXPECT_NO_THROW(s.root->bind(name_of("x"), s.object().in()));
}

TEST(NamingContextExt, translates_names) {  // 2.5
  Serving s;
  CORBA::String_var text = s.root->to_string(name_of("a\\.b.c/d"));
  EXPECT_STREQ(text.in(), "a\\.b.c/d");
  CosNaming::Name_var name = s.root->to_name("a\\.b.c/d");
  ASSERT_EQ(name->length(), 2u);
  EXPECT_STREQ(name[0].id.in(), "a.b");
  EXPECT_STREQ(name[0].kind.in(), "c");
  EXPECT_THROW(s.root->to_name("a//b"), Context::InvalidName);
  EXPECT_THROW(s.root->to_string(CosNaming::Name()), Context::InvalidName);
  text = s.root->to_url(":host.example:2809/NameService", "a\\.b/c d");
  EXPECT_STREQ(text.in(), "corbaname::host.example:2809/NameService#a%5c.b/c%20d");
  EXPECT_THROW(s.root->to_url("", "a"), CosNaming::NamingContextExt::InvalidAddress);
  EXPECT_THROW(s.root->to_url(":host:99999", "a"), CosNaming::NamingContextExt::InvalidAddress);
  EXPECT_THROW(s.root->to_url(":host#x", "a"), CosNaming::NamingContextExt::InvalidAddress);
  EXPECT_THROW(s.root->to_url(":host", "a."), Context::InvalidName);
}

// Reads late: a client that calls meanwhile waits.
class LateStore final : public services::Store {
 public:
  explicit LateStore(services::Store& store, std::function<void()> meanwhile)
      : store_(store), meanwhile_(std::move(meanwhile)) {}
  services::Revision read(std::string_view prefix, const std::function<void(services::Pair&&)>& take) override {
    if (meanwhile_) std::exchange(meanwhile_, nullptr)();
    return store_.read(prefix, take);
  }
  services::Outcome commit(const services::Transaction& t) override { return store_.commit(t); }
  services::Revision latest() override { return store_.latest(); }
  void watch(services::Revision, services::Watcher&) override {}
  bool shared() const override { return false; }
  void announce(const std::string&) override {}
  std::vector<std::string> instances() override { return {}; }

 private:
  services::Store& store_;
  std::function<void()> meanwhile_;
};

TEST(Starting, lets_clients_wait_that_come_too_early) {
  testing::Cluster cluster;
  testing::Member member(cluster, false);
  Watching watching;
  services::Counters counters;
  CORBA::ORB_var orb = testing::new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, "starting-server");
  CORBA::ORB_var client = testing::new_orb({"-ORBCallTimeout", "100"}, "starting-client");
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  object = poa->create_reference("IDL:x:1.0");
  const ior::Ior& ior = object->_callis_reference()->ior();
  const std::string port = std::to_string(ior::parse_iiop(ior.profiles.at(0).data).value().address.port);
  object = client->string_to_object(("corbaloc::127.0.0.1:" + port + "/NameService").c_str());
  const Context::_var_type root = Context::_unchecked_narrow(object.in());
  LateStore store(member, [&] { EXPECT_THROW(root->resolve(name_of("x")), CORBA::TIMEOUT); });
  {
    Service service(orb.in(), poa.in(), store, watching, counters);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    EXPECT_THROW(root->resolve(name_of("x")), Context::NotFound);
  }
  client->destroy();
  orb->destroy();
}

// --- several services ---

TEST(Federation, leads_names_through_another_service) {  // 2.2.2
  Serving a, b;
  a.root->bind_context(name_of("b"), b.root.in());
  const CORBA::Object_var thing = a.object();
  a.root->bind(name_of("b/x"), thing.in());
  CORBA::Object_var found = b.root->resolve(name_of("x"));
  EXPECT_TRUE(found->_is_equivalent(thing.in()));
  found = a.root->resolve(name_of("b/x"));
  EXPECT_TRUE(found->_is_equivalent(thing.in()));
  Context::_var_type made = a.root->bind_new_context(name_of("b/c"));
  a.root->rebind(name_of("b/c/y"), thing.in());
  EXPECT_NO_THROW(CORBA::Object_var(made->resolve(name_of("y"))));
  EXPECT_EQ(not_found([&] { a.root->resolve(name_of("b/q/r")); }), "missing_node q/r");
  EXPECT_THROW(a.root->bind(name_of("b/x"), thing.in()), Context::AlreadyBound);
  a.root->unbind(name_of("b/x"));
  EXPECT_EQ(not_found([&] { b.root->resolve(name_of("x")); }), "missing_node x");
}

// Each call waits for the next; the last ones are refused, with what the client may go on with.
TEST(Federation, ends_circles_of_services) {
  Serving a, b;
  a.root->bind_context(name_of("b"), b.root.in());
  b.root->bind_context(name_of("a"), a.root.in());
  std::string shallow = "b", deep = "b";
  for (int i = 0; i < 10; ++i) shallow += "/a/b";
  for (int i = 0; i < 500; ++i) deep += "/a/b";
  EXPECT_NO_THROW(CORBA::Object_var(a.root->resolve(name_of(shallow))));
  try {
    CORBA::Object_var found = a.root->resolve(name_of(deep));
    ADD_FAILURE() << "no end";
  } catch (const Context::CannotProceed& e) {
    EXPECT_GT(e.rest_of_name.length(), 700u);
    EXPECT_FALSE(CORBA::is_nil(e.cxt.in()));
  }
}

TEST(Federation, of_a_service_that_is_away_is_CannotProceed) {
  Serving a;
  std::string ior;
  {
    Serving b;
    a.root->bind_context(name_of("b"), b.root.in());
  }
  EXPECT_NO_THROW(CORBA::Object_var(a.root->resolve(name_of("b"))));
  try {
    a.root->resolve(name_of("b/x/y"));
    ADD_FAILURE();
  } catch (const Context::CannotProceed& e) {
    EXPECT_EQ(text_of(e.rest_of_name), "x/y");
    EXPECT_FALSE(CORBA::is_nil(e.cxt.in()));
  }
}

TEST(Federation, waits_for_a_service_that_does_not_answer_no_longer_than_its_deadline) {
  ServiceOptions options;
  options.federation_deadline = std::chrono::milliseconds(100);
  Serving a(options);
  // Accepts connections by its backlog, and answers nothing.
  const int silent = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(silent, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(silent, 5), 0);
  ASSERT_EQ(::getsockname(silent, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::string url = "corbaloc::127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/x";
  const Context::_var_type context = Context::_unchecked_narrow(a.object(url).in());
  a.root->bind_context(name_of("s"), context.in());
  EXPECT_THROW(a.root->resolve(name_of("s/x")), Context::CannotProceed);
  // It may have been bound there: the client has to know.
  EXPECT_THROW(a.root->bind(name_of("s/x"), a.object().in()), CORBA::TIMEOUT);
  ::close(silent);
}

// --- several instances of one service ---

TEST(Instances, serve_the_same_contexts_and_name_each_other_in_references) {
  testing::Cluster cluster;
  ServiceOptions options;
  options.every = std::chrono::milliseconds(10);
  Serving a(options, &cluster), b(options, &cluster);
  Context::_var_type made = b.root->bind_new_context(name_of("c"));  // b knows a from its start
  const auto addresses = [](CORBA::Object_ptr object) {
    return ior::addresses(ior::parse_iiop(object->_callis_reference()->ior().profiles.at(0).data).value());
  };
  ASSERT_EQ(addresses(made.in()).size(), 2u);
  a.root->bind(name_of("c/x"), a.object().in());
  EXPECT_NO_THROW(CORBA::Object_var(made->resolve(name_of("x"))));
  while (addresses(CORBA::Object_var(a.root->resolve(name_of("c"))).in()).size() < 2) std::this_thread::yield();
  // A context that one has made is bound as its own by the other.
  a.root->bind_context(name_of("again"), made.in());
  EXPECT_NO_THROW(CORBA::Object_var(a.root->resolve(name_of("again/x"))));
}

}  // namespace
}  // namespace callis::naming
