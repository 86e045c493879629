// SPDX-License-Identifier: Apache-2.0
// TypedInterface: what an Interface Repository has of an interface whose operations are events (Event Service 1.2,
// 2.5). Of the push model each operation has in parameters alone, and no result. Of the pull model it is Pull<I>:
// pull_X(out ...) and boolean try_pull_X(out ...), where X is the event. Never changes.
#pragma once
#include <callis/corba.h>
#include <services/common/memory_bound.h>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>
#include "CallisTypedEvents.h"
#include "CallisIfr.h"

namespace callis::events {

struct TypedOperation {
  struct Parameter {
    std::string name;
    CORBA::TypeCode_var type;
  };
  std::string name;  // of the event
  std::vector<Parameter> parameters;
  bool pulls = false, tries = false;  // of the pull model: which of the two there are

  // Whether the call is one of an operation like this: of that name, with values of these types.
  bool matches(const CallisTypedEvents::Call& call) const;
};

// Thrown where an interface cannot be one of events.
struct NoEvents {
  std::string why;
};

class TypedInterface {
 public:
  enum class Model : std::uint8_t { Push, Pull };
  static constexpr std::size_t kMostOperations = 256, kMostParameters = 64, kMostBases = 256, kMostKeyBytes = 1'024;

  // Asks the repository. Throws NoEvents; TRANSIENT where it cannot be asked, INTF_REPOS for a nil one.
  TypedInterface(CORBA::Repository_ptr repository, const std::string& id, Model model);

  const std::string& id() const { return id_; }
  // Whether the repository said the same for both.
  bool says_the_same(const TypedInterface& other) const;
  // The rough size in memory.
  std::size_t bytes() const;
  // Whether an object of this interface is one of that, too.
  bool is_a(const std::string& id) const { return ids_.contains(id); }
  const std::map<std::string, TypedOperation, std::less<>>& operations() const { return operations_; }
  // nullptr: there is none like it.
  const TypedOperation* find(std::string_view name) const;
  const TypedOperation* find(const CORBA::Any& event) const;

 private:
  void read(CORBA::Repository_ptr repository, Model model);
  void add_bases(CORBA::Repository_ptr repository, const CORBA::RepositoryIdSeq& bases);
  void add(const CORBA::OperationDescription& operation, Model model);

  const std::string id_;
  std::set<std::string> ids_;
  std::map<std::string, TypedOperation, std::less<>> operations_;
};

// The interfaces of typed proxies. Proxies share an interface if a repository describes it equally. Any thread may
// call.
class TypedInterfaces {
 public:
  // memory: as of ChannelParts.
  explicit TypedInterfaces(services::MemoryBound* memory) : memory_(memory) {}

  // Asks the repository, and returns what others have already where it has not changed. As TypedInterface, and
  // NO_RESOURCES.
  std::shared_ptr<const TypedInterface> get(CORBA::Repository_ptr repository, const std::string& id,
                                            TypedInterface::Model model);

 private:
  struct Kept;
  services::MemoryBound* const memory_;
  std::mutex mutex_;  // guards what follows
  std::map<std::pair<std::string, TypedInterface::Model>, std::weak_ptr<const TypedInterface>> known_;
};

// nullptr: the event is no call of an operation. The event's.
const CallisTypedEvents::Call* call_in(const CORBA::Any& event);

}  // namespace callis::events
