// SPDX-License-Identifier: Apache-2.0
// Broker: a FactoryFinder over several others, in naming services and traders, and a GenericFactory over the
// factories that they find (Life Cycle Service 1.2, 2.3.1 and 2.3.3).
//
// find_factories() has each factory once, in the order of the finders. A finder that does not answer is left out,
// with a warning.
//
// create_object() asks the factories in the order of "preferences" if they are homes of callis, which describe their
// own properties. Other factories come after them, with all criteria. If a factory does not make the object, because
// it has no such factory, does not meet the criteria, or cannot be asked, the next is asked. A request that may have
// been executed is not made again. InvalidCriteria comes from the first factory that throws it. Any thread may call.
//
// An operation takes at most Limits::operation in all, for any number of factories. A factory that does not answer
// gets a part of this time, so that later factories are asked, too. Beyond the time the operation throws
// NO_RESOURCES. While the operation waits, it holds bytes of its client's share of memory: a client that asks for
// silent factories stops only itself.
#pragma once
#include <callis/portable_server.h>
#include <services/common/memory_bound.h>
#include <services/common/operation_time.h>
#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>
#include "CallisLifeCycle_skel.h"

namespace callis::life_cycle {

class Broker final : public virtual POA_CallisLifeCycle::Broker {
 public:
  using Finder = PortableServer::Servant_var<POA_CosLifeCycle::FactoryFinder>;
  struct Limits {
    std::chrono::milliseconds answer{5'000};      // until a finder's services and a factory have to
    std::chrono::milliseconds operation{20'000};  // of one operation in all
    services::MemoryBound* memory = nullptr;      // outlives this; nullptr: a bound of its own, with the defaults
  };
  Broker(std::vector<Finder> finders, const Limits& limits);
  Broker(std::vector<Finder> finders, std::chrono::milliseconds answer)
      : Broker(std::move(finders), Limits{answer, std::max<std::chrono::milliseconds>(answer, Limits().operation)}) {}
  CosLifeCycle::Factories* find_factories(const CosLifeCycle::Key& key) override;
  CORBA::Boolean supports(const CosLifeCycle::Key& key) override;
  CORBA::Object_ptr create_object(const CosLifeCycle::Key& key, const CosLifeCycle::Criteria& criteria) override;

 private:
  CosLifeCycle::Factories* find(const CosLifeCycle::Key& key, const services::OperationTime& time);
  services::MemoryBound::Hold begin() {
    return (limits_.memory ? *limits_.memory : own_memory_).take(kOperationBytes);
  }
  // Of a thread that waits, and what it has found.
  static constexpr std::size_t kOperationBytes = 256u << 10;

  services::MemoryBound own_memory_;
  std::vector<Finder> finders_;
  const Limits limits_;
};

}  // namespace callis::life_cycle
