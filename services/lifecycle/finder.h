// SPDX-License-Identifier: Apache-2.0
// FactoryFinder over a naming service: a location is a naming context, and a factory key a name in it (Life Cycle
// Service 1.2, 2.3.1). Where the name is an object's, that is the factory; where it is a context's, all objects
// bound in it are. What there is to be done about a name that leads to other services is theirs. Any thread.
#pragma once
#include <callis/portable_server.h>
#include "CosLifeCycle_skel.h"

namespace callis::life_cycle {

class NamingFinder final : public virtual POA_CosLifeCycle::FactoryFinder {
 public:
  static constexpr CORBA::ULong kMostFactories = 1'000;

  explicit NamingFinder(CosNaming::NamingContext_ptr location)
      : location_(CosNaming::NamingContext::_duplicate(location)) {}
  CosLifeCycle::Factories* find_factories(const CosLifeCycle::Key& key) override;

 private:
  const CosNaming::NamingContext_var location_;
};

// The key of an implementation's factories: {implementation, "object implementation"} (2.3.1, table 2-2).
CosLifeCycle::Key key_of(const std::string& implementation);

}  // namespace callis::life_cycle
