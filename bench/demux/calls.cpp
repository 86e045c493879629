// SPDX-License-Identifier: Apache-2.0
// Measures whole calls over the memory transport, client and server in one process and one thread: the same ORB with
// a request handler of each strategy in the place of its object adapter, and with the adapter itself
// (callis-interpreted). Operations have no arguments. What was called is checked after each batch: the servant and
// the method of every call drawn, and nothing else. rounds.h has the options and what is printed.
#include <callis/corba.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/object_of.h>
#include <callis/portable_server.h>
#include <map>
#include <memory>
#include <set>
#include "program.h"
#include "servants.h"
#include "strategies/demultiplexer.h"
#include "wide_skel.h"

namespace {

using namespace bench::demux;
namespace orb = callis::orb;

constexpr std::size_t kRing = 4096;  // calls drawn beforehand

orb::Counted<orb::Core> make_core(const std::string& memory_name) {
  orb::Options options;
  options.endpoints.push_back({{orb::memory_transport(), memory_name, 0}, {}});
  return orb::Core::create(std::move(options));
}

// An object adapter that does nothing but one strategy's demultiplexing.
template<class S>
class Handler final : public orb::RequestHandler {
 public:
  explicit Handler(const Shape& shape) : demux(shape) {}
  void handle(orb::ServerRequest& request) noexcept override {
    const Found found = demux.find(request.object_key(), request.operation());
    if (!found.servant) return request.system_exception(CORBA::OBJECT_NOT_EXIST(orb::omg(2), CORBA::COMPLETED_NO));
    if (!found.method) return request.system_exception(CORBA::BAD_OPERATION(orb::omg(2), CORBA::COMPLETED_NO));
    ++found.method->calls;
    found.method->call(*found.servant);
    if (request.response_expected()) request.reply();
  }
  orb::Locate locate(callis::ByteView, callis::ior::Ior&) noexcept override { return orb::Locate::Here; }

  Demultiplexer<S> demux;
};

// No arguments, no results.
class Empty final : public orb::CallBody {
 public:
  void encode(callis::cdr::Encoder&) override {}
  void decode(callis::cdr::Decoder&) override {}
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, callis::cdr::Decoder&) override {
    return nullptr;
  }
};

// What a case calls: the objects and operations drawn.
struct Calls {
  Shape shape;
  std::vector<std::size_t> objects, operations;  // of each place in the ring

  std::size_t at(std::size_t i) const { return i % kRing; }
};

// A server and a client of it, with a reference to each object.
class World {
 public:
  World(const std::string& system, const Calls& calls)
      : calls_(calls), server_(make_core(system)), client_(make_core(system + "-client")) {}
  virtual ~World() {
    client_->destroy();
    server_->destroy();
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Nanoseconds of n calls.
  double batch(std::size_t n) {
    const std::vector<std::uint64_t> before = served();
    Empty body;
    const std::uint64_t start = bench::now_ns();
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = calls_.at(i);
      orb::call(*targets_[at], {*sent_[at], false, sent_[at]}, body);
    }
    const std::uint64_t end = bench::now_ns();
    std::vector<std::uint64_t> expected(before.size());
    for (std::size_t i = 0; i < n; ++i) {
      ++expected[calls_.objects[calls_.at(i)]];
      ++expected[calls_.shape.objects + calls_.operations[calls_.at(i)]];
    }
    const std::vector<std::uint64_t> after = served();
    for (std::size_t i = 0; i < expected.size(); ++i)
      bench::expect(after[i] - before[i] == expected[i], "a call's target");
    return static_cast<double>(end - start);
  }

 protected:
  orb::Core& server() { return *server_; }
  const Calls& calls() const { return calls_; }
  // Calls so far: of each object, then of each operation.
  virtual std::vector<std::uint64_t> served() = 0;
  // Place at of the ring calls that key by that name.
  void add(const std::string& key, const std::string& operation) {
    CORBA::Object_var& object = references_[key];
    if (!object.in()) {
      const auto made = server_->make_reference("IDL:Demux:1.0", bytes_of(key));
      object = client_->string_to_object(callis::ior::to_text(made->ior()).c_str());
    }
    add(object.in(), operation);
  }
  void add(CORBA::Object_ptr object, const std::string& operation) {
    targets_.push_back(&orb::reference_of(object));
    sent_.push_back(&*operations_.insert(operation).first);
  }
  orb::Core& client() { return *client_; }

 private:
  const Calls& calls_;
  const orb::Counted<orb::Core> server_, client_;
  std::map<std::string, CORBA::Object_var> references_;  // by their keys
  std::set<std::string> operations_;                     // names on the wire
  std::vector<orb::Reference*> targets_;                 // of each place
  std::vector<const std::string*> sent_;                 // of each place
};

template<class S>
class StrategyWorld final : public World {
 public:
  explicit StrategyWorld(const Calls& calls) : World(S::kName, calls), handler_(calls.shape) {
    server().set_handler(&handler_);
    for (std::size_t i = 0; i < kRing; ++i) {
      const Request r = handler_.demux.request(calls.objects[i], calls.operations[i]);
      add(r.key, r.operation);
    }
  }
  ~StrategyWorld() override { server().set_handler(nullptr); }

 private:
  std::vector<std::uint64_t> served() override {
    std::vector<std::uint64_t> all;
    for (const Target& t : handler_.demux.population().servants) all.push_back(t.calls);
    for (const Target& t : handler_.demux.population().methods) all.push_back(t.calls);
    return all;
  }
  Handler<S> handler_;
};

// The servants of callis's own adapter.
class Counter {
 public:
  Counter(std::uint64_t& calls, std::uint64_t* operations) : calls_(&calls), operations_(operations) {}

 protected:
  void count(int number) {
    ++*calls_;
    ++operations_[number - kFirstNumber];
  }

 private:
  std::uint64_t* const calls_;       // of the object
  std::uint64_t* const operations_;  // of each operation
};
#define DEMUX_SERVANT(n, ...)                                         \
  class Servant##n final : public POA_Operations##n, public Counter { \
   public:                                                            \
    using Counter::Counter;                                           \
    __VA_ARGS__                                                       \
  };
DEMUX_SERVANT(1, DEMUX_COUNT(00, 0))
DEMUX_SERVANT(10, DEMUX_TENTH(00))
DEMUX_SERVANT(50, DEMUX_TENTH(00) DEMUX_TENTH(01) DEMUX_TENTH(02) DEMUX_TENTH(03) DEMUX_TENTH(04))
DEMUX_SERVANT(100, DEMUX_HUNDRED(0))
DEMUX_SERVANT(500, DEMUX_HUNDRED(0) DEMUX_HUNDRED(1) DEMUX_HUNDRED(2) DEMUX_HUNDRED(3) DEMUX_HUNDRED(4))

class AdapterWorld final : public World {
 public:
  explicit AdapterWorld(const Calls& calls)
      : World("callis", calls), counts_(calls.shape.objects + calls.shape.operations) {
    CORBA::Object_var object = server().resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    for (const std::size_t i : calls.shape.way) poa = descend(poa, adapter_names(kSiblings)[i]);
    for (std::size_t i = 0; i < calls.shape.objects; ++i) {
      PortableServer::ServantBase_var servant = make_servant(i);
      PortableServer::ObjectId_var id = poa->activate_object(servant);
      object = poa->id_to_reference(id);
      const CORBA::String_var text = server().object_to_string(object);
      objects_.emplace_back(client().string_to_object(text));
    }
    const Names names = idl_operation_names(calls.shape.operations);
    for (std::size_t i = 0; i < kRing; ++i) add(objects_[calls.objects[i]], names[calls.operations[i]]);
  }

 private:
  // The adapter of that name below; with kSiblings - 1 others beside it.
  static PortableServer::POA_var descend(PortableServer::POA_ptr from, const std::string& name) {
    PortableServer::POA_var found;
    const PortableServer::POAManager_var manager = from->the_POAManager();
    for (const std::string& n : adapter_names(kSiblings)) {
      PortableServer::POA_var made = from->create_POA(n.c_str(), manager, CORBA::PolicyList());
      if (n == name) found = made;
    }
    return found;
  }
  PortableServer::Servant make_servant(std::size_t i) {
    std::uint64_t* const operations = counts_.data() + calls().shape.objects;
    switch (calls().shape.operations) {
      case 1: return new Servant1(counts_[i], operations);
      case 10: return new Servant10(counts_[i], operations);
      case 50: return new Servant50(counts_[i], operations);
      case 100: return new Servant100(counts_[i], operations);
      case 500: return new Servant500(counts_[i], operations);
      default: throw std::invalid_argument("wide.idl has no interface of so many operations");
    }
  }
  std::vector<std::uint64_t> served() override { return counts_; }

  std::vector<std::uint64_t> counts_;
  std::vector<CORBA::Object_var> objects_;  // as the client has them
};

void run_case(const std::string& name, const Sizes& sizes, const Calls& calls) {
  std::vector<Contestant> contestants;
  const auto add = [&](const char* system, std::shared_ptr<World> world) {
    contestants.push_back({system, [world](std::size_t n) { return world->batch(n); }});
  };
  for_each_strategy([&]<class S>() { add(S::kName, std::make_shared<StrategyWorld<S>>(calls)); });
  add("callis-interpreted", std::make_shared<AdapterWorld>(calls));
  run_rounds("call/memory/" + name, contestants, sizes.rounds, sizes.batch_us);
}

void run(const Sizes& sizes, bool worst) {
  const std::string suffix = worst ? "/worst" : "/random";
  std::uint64_t random = 0x9e3779b97f4a7c15u;
  const std::vector<std::size_t> same(kRing, 0);
  for (const std::size_t n : sizes.operations)
    run_case("operations" + std::to_string(n) + suffix, sizes, {{n, 1, {}}, same, draw(worst, kRing, n, random)});
  for (const std::size_t n : sizes.objects)
    run_case("objects" + std::to_string(n) + suffix, sizes, {{1, n, {}}, draw(worst, kRing, n, random), same});
  for (const std::size_t n : sizes.poas)
    run_case("poas" + std::to_string(n) + suffix, sizes, {{1, 1, draw(worst, n, kSiblings, random)}, same, same});
}

}  // namespace

int main(int argc, char** argv) {
  return measure(argc, argv, [](const Sizes& sizes) {
    for (const bool worst : {false, true}) run(sizes, worst);
  });
}
