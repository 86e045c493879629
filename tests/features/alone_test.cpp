// SPDX-License-Identifier: Apache-2.0
// A program with one feature and no other: it links, it calls and serves, and the feature does what it is for. One
// object file; CMake links it once for each feature. Arguments: the feature's name, and its parts, which are what
// CALLIS_HAS() knows.
#include <gtest/gtest.h>
#include <callis/base/feature.h>
#include <callis/base/keep_loaded.h>
#include <callis/base/testing/log_lines.h>
#include <callis/giop/giop.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/policy_values.h>
#include <callis/ior/text.h>
#include <callis/marshal/plan.h>
#include <callis/orb/core/initial.h>
#include <callis/transport/tcp/system_calls.h>
#include <callis/transport/tcp/tcp.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include "all_features.h"
#include "alone_skel.h"
#include "orb_with.h"

#define DECLARE(name) CALLIS_FEATURE(name);
CALLIS_ALL_FEATURES(DECLARE)
#undef DECLARE

namespace callis::features {
namespace {

std::string feature_of_program;
std::set<std::string> parts_of_feature;

class Servant final : public POA_Alone {
 public:
  std::function<void()> during;  // each call of twice()
  std::vector<CORBA::Long> ticks;
  std::string text;  // of same()
  const char* at = nullptr;

  CORBA::Long twice(CORBA::Long n) override {
    const std::lock_guard lock(mutex_);
    if (during) during();
    return 2 * n;
  }
  char* same(const char* s) override {
    text = at = s;
    return CORBA::string_dup(s);
  }
  Row* turned(const Row& r) override {
    Row_var result = new Row;
    result->length(r.length());
    for (CORBA::ULong i = 0; i < r.length(); ++i) result[i] = r[r.length() - 1 - i];
    return result._retn();
  }
  void tick(CORBA::Long n) override { ticks.push_back(n); }

 private:
  std::mutex mutex_;
};

using Options = std::vector<std::string>;

Options at(const std::string& endpoint, Options options = {}) {
  options.insert(options.end(), {"-ORBEndpoint", endpoint});
  return options;
}

std::string new_memory_endpoint() {
  static int number = 0;
  return "memory:features-alone-" + std::to_string(++number);
}

// A servant in a server's root adapter.
struct Server {
  explicit Server(Options options) : orb(std::move(options)), poa(orb.root()), servant(new Servant) {
    activate(poa);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
  }
  void activate(PortableServer::POA_ptr adapter) {
    id = adapter->activate_object(servant.in());
    object = adapter->id_to_reference(id.in());
  }
  std::string text() { return CORBA::String_var(orb->object_to_string(object.in())).in(); }

  OrbWith orb;
  PortableServer::POA_var poa;
  PortableServer::Servant_var<Servant> servant;
  PortableServer::ObjectId_var id;
  CORBA::Object_var object;
};

// A client of it, by messages.
struct Client {
  explicit Client(Server& server, Options options = {}) : Client(server.text(), std::move(options)) {}
  explicit Client(const std::string& url, Options options = {}) : orb(std::move(options)) {
    const CORBA::Object_var any(orb->string_to_object(url.c_str()));
    object = Alone::_narrow(any.in());
  }
  OrbWith orb;
  Alone_var object;
};

void call_over(const std::string& endpoint, Options of_server = {}, Options of_client = {}) {
  Server server(at(endpoint, std::move(of_server)));
  Client client(server, std::move(of_client));
  EXPECT_EQ(client.object->twice(21), 42);
}

constexpr const char* kTcp = "tcp:127.0.0.1:0";

std::string bytes_of(const PortableServer::ObjectId& id) {
  return {reinterpret_cast<const char*>(id.get_buffer()), id.length()};
}

// --- What each is for ---

void adapters() {
  Server server(at(new_memory_endpoint()));
  const PortableServer::POA_var child(server.poa->create_POA("child", nullptr, CORBA::PolicyList()));
  PortableServer::POAManager_var(child->the_POAManager())->activate();
  server.activate(child);
  Client client(server);
  EXPECT_EQ(client.object->twice(21), 42);
  const PortableServer::POA_var found(server.poa->find_POA("child", false));
  EXPECT_EQ(found.in(), child.in());
  child->destroy(true, true);
  EXPECT_THROW(client.object->twice(21), CORBA::OBJECT_NOT_EXIST);
}

void call_log() {
  const callis::testing::LogLines lines(LogLevel::Debug);  // before the ORBs are made
  Server server(at(kTcp));
  Client client(server);
  EXPECT_EQ(client.object->twice(21), 42);
  for (const char* line : {"listening at ", "connection opened to ", "call twice() of ", "request twice() of "})
    EXPECT_GE(lines.with(line), 1u) << line;
}

// CORBA 3.3 part 2, 7.10.2: what client and server have in memory differs.
void code_sets() {
  Server server(at(new_memory_endpoint()));
  Client client(server, {"-ORBNativeCharCodeSet", "UTF-8"});
  const CORBA::String_var back(client.object->same("Stra\xc3\x9f" "e"));
  EXPECT_STREQ(back.in(), "Stra\xc3\x9f" "e");
  EXPECT_EQ(server.servant->text, "Stra\xdf" "e");
}

// The servant has the caller's own string: from the second call on, when the reference's profiles have been read.
void collocation() {
  Server server(at(new_memory_endpoint(), {"-ORBCollocation", "direct"}));
  const Alone_var object(Alone::_narrow(server.object.in()));
  EXPECT_EQ(object->twice(21), 42);
  const char* const text = "text";
  const CORBA::String_var back(object->same(text));
  EXPECT_STREQ(back.in(), "text");
  EXPECT_EQ(server.servant->at, text);
}

void current() {
  Server server(at(new_memory_endpoint()));
  const CORBA::Object_var any(server.orb->resolve_initial_references("POACurrent"));
  const PortableServer::Current_var current(PortableServer::Current::_narrow(any.in()));
  std::string id;
  server.servant->during = [&] {
    const PortableServer::ObjectId_var mine(current->get_object_id());
    id = bytes_of(mine.in());
  };
  EXPECT_EQ(Client(server).object->twice(21), 42);
  EXPECT_EQ(id, bytes_of(server.id.in()));
  EXPECT_THROW(current->get_object_id(), PortableServer::Current::NoContext);
}

// The exception that answers a request which says by INVOCATION_POLICIES that it was of use in 1582.
std::string said_to_late_request(Server& server) {
  const auto read = ior::parse_reference(server.text(), Limits{});
  const auto profile = ior::parse_iiop(std::get<ior::Ior>(read).profiles.at(0).data).value();
  ior::PolicyValues policies;
  policies.add(28, ior::Moment(1));
  const giop::ServiceContext contexts[] = {{giop::kInvocationPoliciesContext, policies.bytes()}};
  Buffer request;
  cdr::Encoder e(request);
  giop::OutgoingRequest r;
  r.request_id = 1;
  r.response = giop::ResponseFlags::WithTarget;
  r.target = giop::Target::key(profile.object_key);
  r.operation = "twice";
  r.contexts = contexts;
  const auto started = giop::begin_request(e, giop::kGiop12, r);
  e.put_ulong(21);
  EXPECT_EQ(giop::finish_message(e, started), Fault::None);
  const Deadline by = Deadline::in(Duration(20'000));
  const auto stream = transport::connect_tcp("127.0.0.1", profile.address.port, by).value();
  EXPECT_TRUE(stream->send(request.view(), by).ok());
  std::string reply;
  Byte in[256];
  while (const std::size_t n = stream->receive(in, by).bytes) {
    reply.append(reinterpret_cast<const char*>(in), n);
    const std::size_t from = reply.find("IDL:");
    if (from != std::string::npos && reply.find('\0', from) != std::string::npos) return reply.c_str() + from;
  }
  return "nothing";
}

void end_times() {
  Server server(at(kTcp));
  Client client(server);
  EXPECT_EQ(client.object->twice(21), 42);
  EXPECT_EQ(said_to_late_request(server), "IDL:omg.org/CORBA/TIMEOUT:1.0");
}

void exception_texts() {
  Server server(at(kTcp));
  server.servant->during = [] { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO, "the door is closed"); };
  Client client(server);
  try {
    client.object->twice(21);
    FAIL();
  } catch (const CORBA::NO_PERMISSION& e) {
    EXPECT_TRUE(e.detail().ends_with(": the door is closed")) << e.what();
  }
}

// Without it nobody hears of what left the servant.
void direct_calls() {
  Server server(at(kTcp));
  Client client(server);
  EXPECT_EQ(client.object->twice(21), 42);
  const auto send = callis::transport::tcp::system_calls.send.load();
#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_NE(send, &::send);
#else
  EXPECT_EQ(send, &::send);
#endif
}

// The feature changes the way of a call, not its outcome. The first call of an operation goes the other way.
void flat_calls() {
  Server server(at(kTcp));
  Client client(server);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(client.object->twice(21 + i), 42 + 2 * i);
  server.servant->during = [] { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_YES); };
  try {
    client.object->twice(21);
    FAIL();
  } catch (const CORBA::NO_PERMISSION& e) {
    EXPECT_EQ(e.minor(), 7u);
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
  }
  server.servant->during = nullptr;
  EXPECT_EQ(client.object->twice(21), 42);
}

// Plans of an operation that callis-idl knows nothing of.
void run_time_plans() {
  namespace marshal = callis::marshal;
  static const marshal::Word words[] = {marshal::op_word(0, 0), 0, 1, marshal::type_word(marshal::Kind::Void)};
  static marshal::PlanCell cell;
  static const marshal::Unit unit{words, "f", nullptr, &cell};
  const marshal::OperationPlans* const plans = marshal::operation_plans(unit, 0);
  ASSERT_TRUE(plans);
  EXPECT_STREQ(plans->name, "f");
}

void explanations() {
  Server server(at(kTcp));
  server.servant->during = [] { throw std::runtime_error("the table is full"); };
  Client client(server);
  const callis::testing::LogLines lines;
  try {
    client.object->twice(21);
    FAIL();
  } catch (const CORBA::UNKNOWN& e) {
    EXPECT_NE(e.detail().find(": a C++ exception that is no"), std::string_view::npos) << e.what();
  }
  EXPECT_EQ(lines.with("twice(): std::runtime_error: the table is full"), 1u);
}

void forks() {
  Server server(at(kTcp));
  Client client(server);
  EXPECT_EQ(client.object->twice(21), 42);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(client.object->twice(4) == 8 ? 0 : 1);
  for (CORBA::Long i = 0; i < 100; ++i) EXPECT_EQ(client.object->twice(i), 2 * i);
  int status = 1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

void fragments() {
  Server server(at(kTcp, {"-ORBFragmentSize", "1024"}));
  Client client(server, {"-ORBFragmentSize", "1024"});
  const std::string text(10'000, 'x');
  const CORBA::String_var back(client.object->same(text.c_str()));
  EXPECT_EQ(back.in(), text);
}

// A server that answers one call, closes its direction, and waits for the client to close.
void idle_watch() {
  auto listener = transport::listen_tcp("127.0.0.1", 0);
  ASSERT_TRUE(listener.ok());
  std::promise<bool> let_go;
  std::thread server([&] {
    auto stream = listener.value()->accept();
    Byte in[1024];
    const auto got = stream.value()->receive(in, Deadline());
    Buffer out;
    cdr::Encoder e(out);
    const auto reply = giop::begin_reply(e, {1, 2}, load<std::uint32_t>(in + giop::kHeaderBytes),
                                         giop::ReplyStatus::NoException);
    e.put_ulong(42);
    EXPECT_TRUE(got.ok() && giop::finish_message(e, reply) == Fault::None);
    EXPECT_TRUE(stream.value()->send(out.view(), Deadline()).ok());
    stream.value()->finish_sending();
    let_go.set_value(!stream.value()->receive(in, Deadline()).ok());
  });
  const ior::IiopProfile profile{{1, 2}, {"127.0.0.1", listener.value()->port()}, {'k'}, {}};
  {
    Client client(ior::to_text({"IDL:Alone:1.0", {ior::to_profile(profile)}}));
    EXPECT_EQ(client.object->twice(21), 42);
    EXPECT_EQ(let_go.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
  }
  server.join();
}

void initial_references() {
  Server server(at(new_memory_endpoint()));
  server.orb->register_initial_reference("Alone", server.object.in());
  const CORBA::Object_var any(server.orb->resolve_initial_references("Alone"));
  const Alone_var object(Alone::_narrow(any.in()));
  EXPECT_EQ(object->twice(21), 42);
  const CORBA::ORB::ObjectIdList_var ids(server.orb->list_initial_services());
  bool listed = false;
  for (CORBA::ULong i = 0; i < ids->length(); ++i) listed = listed || std::string(ids[i]) == "Alone";
  EXPECT_TRUE(listed);
}

// The server looks for an Interface Repository.
void interfaces() {
  static std::atomic<int> asked;
  orb::register_initial_factory("InterfaceRepository", [](orb::Core&) {
    ++asked;
    return CORBA::Object::_nil();
  });
  Server server(at(new_memory_endpoint()));
  Client client(server);
  EXPECT_THROW(client.object->_get_interface(), CORBA::INTF_REPOS);
  EXPECT_EQ(asked, 1);
}

void lookups() {
  for (const char* way : {"hint", "hash", "linear"}) call_over(new_memory_endpoint(), {"-ORBObjectLookup", way});
  for (const char* way : {"binary", "hash", "linear"}) call_over(new_memory_endpoint(), {"-ORBOperationLookup", way});
}

void object_ids() {
  Server server(at(new_memory_endpoint()));
  const PortableServer::ObjectId_var id(server.poa->servant_to_id(server.servant.in()));
  EXPECT_EQ(bytes_of(id.in()), bytes_of(server.id.in()));
  PortableServer::ServantBase_var found(server.poa->id_to_servant(id.in()));
  EXPECT_EQ(found.in(), server.servant.in());
  server.object = server.poa->create_reference("IDL:Alone:1.0");
  const PortableServer::ObjectId_var other(server.poa->reference_to_id(server.object.in()));
  const PortableServer::Servant_var<Servant> another(new Servant);
  server.poa->activate_object_with_id(other.in(), another.in());
  EXPECT_EQ(Client(server).object->twice(21), 42);
}

void oneways() {
  Server server(at(kTcp));
  Client client(server, {"-ORBSyncScope", "none"});
  for (CORBA::Long i = 0; i < 10; ++i) client.object->tick(i);
  EXPECT_EQ(client.object->twice(21), 42);
  EXPECT_EQ(server.servant->ticks, (std::vector<CORBA::Long>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

// A library of the system that no program has from its start.
void plugins() {
  constexpr const char* kLibrary = "libthread_db.so.1";
  void* const library = ::dlopen(kLibrary, RTLD_LAZY);
  ASSERT_NE(library, nullptr) << ::dlerror();
  callis::keep_loaded(::dlsym(library, "td_init"));
  ::dlclose(library);
  EXPECT_NE(::dlopen(kLibrary, RTLD_LAZY | RTLD_NOLOAD), nullptr) << "it has gone";
}

void pool() {
  call_over(kTcp, {"-ORBServerThreads", "pool"});
  Server server(at(kTcp, {"-ORBMaxConnectionThreads", "1"}));
  Client first(server), second(server);
  EXPECT_EQ(first.object->twice(21), 42);
  EXPECT_EQ(second.object->twice(21), 42);
}

void settings() {
  Server server(at(new_memory_endpoint()));
  OrbWith client({"-ORBInitRef", "Alone=" + server.text()});
  const CORBA::Object_var any(client->resolve_initial_references("Alone"));
  const Alone_var object(Alone::_narrow(any.in()));
  EXPECT_EQ(object->twice(21), 42);
}

void sharing() {
  Server server(at(kTcp));
  for (const Options& options :
       {Options{"-ORBClientConnections", "shared"}, Options{"-ORBMaxConnectionsPerServer", "1"}}) {
    Client client(server, options);
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t)
      threads.emplace_back([&] {
        for (CORBA::Long i = 0; i < 100; ++i) EXPECT_EQ(client.object->twice(i), 2 * i);
      });
    for (std::thread& t : threads) t.join();
  }
}

void shuffles() {
  Server server(at(new_memory_endpoint()));
  Client client(server);
  Row row;
  row.length(100);
  for (CORBA::ULong i = 0; i < 100; ++i) row[i] = {CORBA::Octet(i), CORBA::Long(-i), CORBA::Octet(i + 1), 1.5 * i};
  const Row_var back(client.object->turned(row));
  ASSERT_EQ(back->length(), 100u);
  for (CORBA::ULong i = 0; i < 100; ++i) {
    EXPECT_EQ(back[99 - i].a, row[i].a);
    EXPECT_EQ(back[99 - i].b, row[i].b);
    EXPECT_EQ(back[99 - i].c, row[i].c);
    EXPECT_EQ(back[99 - i].d, row[i].d);
  }
}

// A key whose last byte is another one is nobody's.
void unguessable_keys() {
  Server server(at(new_memory_endpoint(), {"-ORBUnguessableKeys", "yes"}));
  EXPECT_EQ(Client(server).object->twice(21), 42);
  std::string text = server.text();
  text.back() = text.back() == '0' ? '1' : '0';
  EXPECT_THROW(Client(text).object->twice(21), CORBA::OBJECT_NOT_EXIST);
}

void unix() {
  const std::string path = ::testing::TempDir() + "callis-alone-" + std::to_string(::getpid());
  call_over("unix:" + path);
  EXPECT_NE(::access(path.c_str(), F_OK), 0) << "the socket's file is still there";
}

void urls() {
  Server server(at(kTcp));
  const auto read = ior::parse_reference(server.text(), Limits{});
  const ior::Ior* const reference = std::get_if<ior::Ior>(&read);
  ASSERT_TRUE(reference);
  const auto profile = ior::parse_iiop(reference->profiles.at(0).data, Limits{});
  ASSERT_TRUE(profile.ok());
  std::string url = "corbaloc::127.0.0.1:" + std::to_string(profile.value().address.port) + "/";
  for (const Byte b : profile.value().object_key) {
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "%%%02x", unsigned(b));
    url += escaped;
  }
  EXPECT_EQ(Client(url).object->twice(21), 42);
  EXPECT_EQ(thrown_with({"-ORBDefaultInitRef", "corbaloc::host:1"}), "");
}

// --- Tests ---

const std::map<std::string, void (*)()> kUses = {{"adapters", adapters},
                                                 {"call_log", call_log},
                                                 {"code_sets", code_sets},
                                                 {"collocation", collocation},
                                                 {"current", current},
                                                 {"direct_calls", direct_calls},
                                                 {"flat_calls", flat_calls},
                                                 {"end_times", end_times},
                                                 {"exception_texts", exception_texts},
                                                 {"explanations", explanations},
                                                 {"forks", forks},
                                                 {"fragments", fragments},
                                                 {"idle_watch", idle_watch},
                                                 {"initial_references", initial_references},
                                                 {"interfaces", interfaces},
                                                 {"lookups", lookups},
                                                 {"object_ids", object_ids},
                                                 {"oneways", oneways},
                                                 {"plugins", plugins},
                                                 {"pool", pool},
                                                 {"run_time_plans", run_time_plans},
                                                 {"settings", settings},
                                                 {"sharing", sharing},
                                                 {"shuffles", shuffles},
                                                 {"unguessable_keys", unguessable_keys},
                                                 {"unix", unix},
                                                 {"urls", urls}};

TEST(OneFeature, IsEnoughToCallAndServe) {
  call_over(new_memory_endpoint());
  call_over(kTcp);
}

TEST(OneFeature, DoesWhatItIsFor) {
  const auto use = kUses.find(feature_of_program);
  ASSERT_NE(use, kUses.end()) << "no case for the feature " << feature_of_program;
  use->second();
}

TEST(OneFeature, TakesNoOtherWithIt) {
  std::set<std::string> there;
#define INSERT(name) if (CALLIS_HAS(name)) there.insert(#name);
  CALLIS_ALL_FEATURES(INSERT)
#undef INSERT
  EXPECT_EQ(there, parts_of_feature);
}

}  // namespace
}  // namespace callis::features

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc < 3) return std::fprintf(stderr, "usage: %s feature part...\n", argv[0]), 2;
  callis::features::feature_of_program = argv[1];
  callis::features::parts_of_feature = {argv + 2, argv + argc};
  return RUN_ALL_TESTS();
}
