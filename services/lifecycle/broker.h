// SPDX-License-Identifier: Apache-2.0
// Broker: a FactoryFinder over several others, in naming services and traders, and a GenericFactory over the
// factories that they find (Life Cycle Service 1.2, 2.3.1 and 2.3.3).
//
// find_factories() has each factory once, in the order of the finders. A finder that does not answer is left out,
// with a warning.
//
// create_object() asks the factories in the order of "preferences", where homes of callis say of themselves what
// criteria are met by; other factories come after them, with all criteria. One that does not make the object, since
// it has no such factory or does not meet the criteria, or cannot be asked, is followed by the next. A request that
// may have been executed is not made again. InvalidCriteria is the first factory's that says so. Any thread.
#pragma once
#include <callis/portable_server.h>
#include <chrono>
#include <vector>
#include "CallisLifeCycle_skel.h"

namespace callis::life_cycle {

class Broker final : public virtual POA_CallisLifeCycle::Broker {
 public:
  using Finder = PortableServer::Servant_var<POA_CosLifeCycle::FactoryFinder>;
  // answer: until a factory has to.
  Broker(std::vector<Finder> finders, std::chrono::milliseconds answer);
  CosLifeCycle::Factories* find_factories(const CosLifeCycle::Key& key) override;
  CORBA::Boolean supports(const CosLifeCycle::Key& key) override;
  CORBA::Object_ptr create_object(const CosLifeCycle::Key& key, const CosLifeCycle::Criteria& criteria) override;

 private:
  std::vector<Finder> finders_;
  const std::chrono::milliseconds answer_;
};

}  // namespace callis::life_cycle
