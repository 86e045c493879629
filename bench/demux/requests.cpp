// SPDX-License-Identifier: Apache-2.0
// Measures what an object adapter does to find what a request names, by each way that callis has (its options
// -ORBObjectLookup and so on): nanoseconds from the key and the operation's name in a message to the servant and the
// function, one process, one thread. What is timed are the functions that dispatching calls, in their order: the
// key's prefix, the slot and its generation, pinning it, the adapter's state, the operation by its name, and
// letting go of the pin. Beside it the floor, system array: the same loop over the same messages where both are
// indices of arrays. A lookup begins when the one before has both results; cases .../overlapped: it does not wait.
// Every result is checked. Cases .../long have eight times as many different requests: more than a branch predictor
// learns. In .../long/two-interfaces each object has one of two, drawn at random, so that requests take turns; both
// have operations of the same names. rounds.h has the options and what is printed.
#include <callis/base/perfect_hash_builder.h>
#include <callis/corba.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/object_of.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/dispatch/operation_lookup.h>
#include <callis/poa/servant/demultiplexing.h>
#include <callis/portable_server.h>
#include <cstring>
#include <memory>
#include "program.h"
#include "strategies/names.h"

namespace {

using namespace bench::demux;
namespace orb = callis::orb;
namespace poa = callis::poa;
using callis::Byte;
using callis::ByteView;

using Names = std::vector<std::string>;
constexpr std::size_t kRing = 4096;  // requests drawn beforehand
constexpr std::size_t kLongRing = 8 * kRing;
constexpr std::size_t kDepth = 3;    // of the adapter, where names lead to it

void function(void*, void*) {}

// The tables that callis-idl writes for an interface with these operations.
class Interface {
 public:
  explicit Interface(const Names& names) {
    if (!callis::build_perfect_hash(names, hash_)) throw std::runtime_error("no perfect hash for these names");
    for (const std::uint16_t i : hash_.order) {
      const std::string& name = names[i];
      operations_.emplace_back(&function, static_cast<callis::marshal::Word>(words_.size()),
                               poa::name_word(static_cast<callis::marshal::Word>(text_.size()),
                                              static_cast<callis::marshal::Word>(name.size())));
      words_.insert(words_.end(), {callis::marshal::op_word(0, 0), static_cast<callis::marshal::Word>(text_.size()),
                                   static_cast<callis::marshal::Word>(name.size()),
                                   callis::marshal::type_word(callis::marshal::Kind::Void)});
      text_ += name + '\0';
    }
    unit_ = {words_.data(), text_.data(), nullptr, &cell_};
    skeleton_ = {kIds, &unit_, operations_.data(), hash_.view(), nullptr, &poa::run_interpreted};
  }
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;
  const poa::Skeleton& skeleton() const { return skeleton_; }

 private:
  static constexpr const char* kIds[] = {"IDL:Wide:1.0", nullptr};
  callis::PerfectHashTables hash_;
  std::vector<callis::marshal::Word> words_;
  std::string text_;
  callis::marshal::PlanCell cell_;
  callis::marshal::Unit unit_{};
  std::vector<poa::SkeletonOperation> operations_;
  poa::Skeleton skeleton_{kIds, &unit_, nullptr, {}, nullptr, &poa::run_interpreted};
};

using Interfaces = std::vector<const Interface*>;

class Servant final : public PortableServer::ServantBase {
 public:
  explicit Servant(const Interface& interface) : interface_(interface) {}
  const poa::Skeleton& _callis_skeleton() const override { return interface_.skeleton(); }
  void* _callis_self() override { return this; }

 private:
  const Interface& interface_;
};

// What a lookup finds.
struct Found {
  const void* servant;
  const poa::SkeletonOperation* operation;
};

// Requests behind one another in one buffer, of each the key and the name with their lengths before them, as in a
// message.
class Ring {
 public:
  void add(ByteView key, std::string_view name, const Found& expected) {
    put(key.data(), key.size());
    put(name.data(), name.size());
    expected_.push_back(expected);
  }
  // find(key, name) -> Found. Nanoseconds of n lookups.
  template <bool overlapped, class Find>
  double lookups(std::size_t n, Find find) const {
    std::uintptr_t sum = 0, expected = 0, nothing = 0;
    const Byte* at = bytes_.data();
    std::size_t left = expected_.size();
    const std::uint64_t start = bench::thread_ns();
    for (std::size_t i = 0; i < n; ++i) {
      const ByteView key = take(at), name = take(at);
      const auto* const text = reinterpret_cast<const char*>(name.data());
      const Found found = find({key.data() + nothing, key.size()}, {text + nothing, name.size()});
      const auto servant = reinterpret_cast<std::uintptr_t>(found.servant);
      const auto call = reinterpret_cast<std::uintptr_t>(found.operation->thunk);
      if constexpr (!overlapped) nothing = (servant | call) >> 63;  // no address of a program has that bit
      sum += servant + reinterpret_cast<std::uintptr_t>(found.operation) + call;
      if (--left == 0) {
        left = expected_.size();
        at = bytes_.data();
      }
    }
    const std::uint64_t end = bench::thread_ns();
    for (std::size_t i = 0; i < n; ++i) {
      const Found& found = expected_[i % expected_.size()];
      expected += reinterpret_cast<std::uintptr_t>(found.servant) +
                  reinterpret_cast<std::uintptr_t>(found.operation) +
                  reinterpret_cast<std::uintptr_t>(found.operation->thunk);
    }
    bench::expect(sum == expected, "a lookup");
    return static_cast<double>(end - start);
  }

 private:
  void put(const void* data, std::size_t n) {
    const auto size = static_cast<std::uint32_t>(n);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + 4 + (n + 3) / 4 * 4);
    std::memcpy(bytes_.data() + at, &size, 4);
    std::memcpy(bytes_.data() + at + 4, data, n);
  }
  static ByteView take(const Byte*& at) {
    std::uint32_t size;
    std::memcpy(&size, at, 4);
    const ByteView bytes(at + 4, size);
    at += 4 + (size + 3) / 4 * 4;
    return bytes;
  }

  std::vector<Byte> bytes_;
  std::vector<Found> expected_;
};

// An adapter with its objects, and the requests to them.
class World {
 public:
  World(CORBA::ORB_ptr orb, const std::string& name, const orb::Demultiplexing& by, bool user_ids,
        std::size_t objects, const Names& names, const Interfaces& interfaces, std::size_t requests,
        std::uint64_t random) {
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var adapter = PortableServer::POA::_narrow(object.in());
    const PortableServer::POAManager_var manager = adapter->the_POAManager();
    manager->activate();
    CORBA::PolicyList policies;
    policies.length(user_ids ? 2 : 1);
    policies[0] = poa::create_demultiplexing_policy(by);
    if (user_ids) policies[1] = adapter->create_id_assignment_policy(PortableServer::USER_ID);
    for (std::size_t level = 1; level < kDepth; ++level)
      adapter = adapter->create_POA((name + std::to_string(level)).c_str(), manager.in(), CORBA::PolicyList());
    adapter = adapter->create_POA(name.c_str(), manager.in(), policies);
    registry_ = orb::Counted(&dynamic_cast<poa::Adapter&>(*adapter.in()).registry());
    const Names ids = object_names(objects);
    const auto drawn = draw(false, requests, objects, random), of = draw(false, requests, names.size(), random);
    const auto of_interface = draw(false, objects, interfaces.size(), random);
    for (const std::string& id : ids) {
      const PortableServer::Servant_var<Servant> servant(new Servant(*interfaces[of_interface[servants_.size()]]));
      servants_.push_back(servant.in());
      if (user_ids) {
        const PortableServer::ObjectId_var oid = PortableServer::string_to_ObjectId(id.c_str());
        adapter->activate_object_with_id(oid.in(), servant.in());
      } else {
        const PortableServer::ObjectId_var oid = adapter->activate_object(servant.in());
      }
    }
    auto& core = dynamic_cast<orb::Core&>(*orb);
    for (std::size_t i = 0; i < requests; ++i) {
      const CORBA::Object_var o = adapter->servant_to_reference(servants_[drawn[i]]);
      ring.add(core.own_key(o.in()), names[of[i]],
               {servants_[drawn[i]], poa::find_operation(servants_[drawn[i]]->_callis_skeleton(), names[of[i]])});
    }
  }
  [[gnu::always_inline]] Found find(ByteView key, std::string_view name) const {
    poa::Slot* const slot = registry_->enter_at_once(key);
    if (!slot) bench::wrong("no object by a key");
    const Found found{slot->self, poa::find_operation(*slot->skeleton, name, slot->adapter->operation_lookup())};
    registry_->leave(slot);
    return found;
  }

  Ring ring;

 private:
  orb::Counted<poa::Registry> registry_;
  std::vector<Servant*> servants_;  // the adapter's
};

// The floor: servant and operation are indices, in the place of the slot and at the name's beginning.
class ArrayWorld {
 public:
  ArrayWorld(std::size_t objects, const Names& names, std::size_t requests, std::uint64_t random)
      : interface_(names), objects_(objects) {
    for (std::size_t i = 0; i < objects; ++i) objects_[i].self = &objects_[i];
    const auto drawn = draw(false, requests, objects, random), of = draw(false, requests, names.size(), random);
    for (std::size_t i = 0; i < requests; ++i) {
      Byte key[poa::kSystemKeyBytes] = {};
      std::string name = names[of[i]];
      put(key + kAt, drawn[i]);
      name.resize(std::max<std::size_t>(name.size(), 4));
      put(name.data(), of[i]);
      ring.add(key, name, {&objects_[drawn[i]], &interface_.skeleton().operations[of[i]]});
    }
  }
  [[gnu::always_inline]] Found find(ByteView key, std::string_view name) const {
    std::uint32_t object, operation;
    std::memcpy(&object, key.data() + kAt, 4);
    std::memcpy(&operation, name.data(), 4);
    return {objects_[object].self, &interface_.skeleton().operations[operation]};
  }

  Ring ring;

 private:
  static constexpr std::size_t kAt = 16;
  struct alignas(64) Object {
    const void* self;
  };
  static void put(void* to, std::size_t number) {
    const auto n = static_cast<std::uint32_t>(number);
    std::memcpy(to, &n, 4);
  }
  Interface interface_;
  std::vector<Object> objects_;
};

class Case {
 public:
  Case(std::string name, const Sizes& sizes) : name_(std::move(name)), sizes_(sizes) {}
  template <class W>
  void add(const char* system, std::shared_ptr<W> world) {
    const auto find = [w = world.get()](ByteView key, std::string_view name) { return w->find(key, name); };
    chained_.push_back(
        {system, [world, find](std::size_t n) { return world->ring.template lookups<false>(n, find); }});
    overlapped_.push_back(
        {system, [world, find](std::size_t n) { return world->ring.template lookups<true>(n, find); }});
  }
  void run() {
    run_rounds(name_, chained_, sizes_.rounds, sizes_.batch_us);
    run_rounds(name_ + "/overlapped", overlapped_, sizes_.rounds, sizes_.batch_us);
  }

 private:
  const std::string name_;
  const Sizes& sizes_;
  std::vector<Contestant> chained_, overlapped_;
};

struct Way {
  const char* name;
  orb::Demultiplexing by;
  bool user_ids;
};

void run(CORBA::ORB_ptr orb, const Sizes& sizes, bool only_default) {
  using orb::AdapterLookup;
  using orb::ObjectLookup;
  using orb::OperationLookup;
  static constexpr Way kWays[] = {
      {"active", {}, false},
      {"active/user-ids", {}, true},
      {"hint/user-ids", {ObjectLookup::Hint, {}, {}}, true},
      {"hash", {ObjectLookup::Hash, {}, {}}, false},
      {"linear", {ObjectLookup::Linear, {}, {}}, false},
      {"path", {ObjectLookup::Active, AdapterLookup::Path, {}}, false},
      {"active/binary", {{}, {}, OperationLookup::Binary}, false},
      {"active/hash", {{}, {}, OperationLookup::Hash}, false},
      {"active/linear", {{}, {}, OperationLookup::Linear}, false},
  };
  constexpr std::uint64_t kRandom = 0x9e3779b97f4a7c15u;
  const std::size_t objects = sizes.objects.back();
  const Names names = operation_names(sizes.operations.back());
  const Interface interface(names), other(names);
  const auto run_case = [&](const std::string& name, const Way& way, const Interfaces& interfaces,
                            std::size_t requests) {
    Case c("request/objects" + std::to_string(objects) + "/operations" + std::to_string(names.size()) + '/' + name,
           sizes);
    c.add("array", std::make_shared<ArrayWorld>(objects, names, requests, kRandom));
    c.add("callis-interpreted",
          std::make_shared<World>(orb, name, way.by, way.user_ids, objects, names, interfaces, requests, kRandom));
    c.run();
  };
  for (const Way& way : kWays) {
    run_case(way.name, way, {&interface}, kRing);
    if (only_default) return;
  }
  run_case("active/long", kWays[0], {&interface}, kLongRing);
  run_case("active/long/two-interfaces", kWays[0], {&interface, &other}, kLongRing);
}

}  // namespace

int main(int argc, char** argv) {
  return measure_with_orb(argc, argv, "requests", [&](CORBA::ORB_ptr orb, const Sizes& sizes) {
    run(orb, sizes, Sizes::option(argc, argv, "ways", "all") == "one");
  });
}
