// SPDX-License-Identifier: Apache-2.0
// FactoryFinders. Any thread.
//
// NamingFinder, over a naming service: a location is a naming context, and a factory key a name in it (Life Cycle
// Service 1.2, 2.3.1). If the name is an object's, the object is the factory. If the name is a context's, all objects
// bound there are factories. If a name leads to other services, they do the work.
//
// TraderFinder, over a trader: factories are offers of one service type, whose property "implementation", a string,
// is the id of the key's last name component. A constraint and a preference of the finder's own say which of them and
// in which order, as "cpus >= 4" and "min load".
//
// Both are TimedFinders: find_factories() takes at most kLongest in all, for any number of calls, and find() takes
// the rest of a longer operation. The factories found by then are the answer.
#pragma once
#include <callis/portable_server.h>
#include <services/common/operation_time.h>
#include <chrono>
#include <string>
#include "CosLifeCycle_skel.h"
#include "CosTrading.h"

namespace callis::life_cycle {

class TimedFinder : public virtual POA_CosLifeCycle::FactoryFinder {
 public:
  static constexpr std::chrono::seconds kLongest{20};

  // Each call that is made for it takes `answer` at most, and what is left of `time`.
  virtual CosLifeCycle::Factories* find(const CosLifeCycle::Key& key, std::chrono::milliseconds answer,
                                        const services::OperationTime& time) = 0;
  CosLifeCycle::Factories* find_factories(const CosLifeCycle::Key& key) final {
    return find(key, kLongest, services::OperationTime(kLongest));
  }
};

class NamingFinder final : public virtual TimedFinder {
 public:
  static constexpr CORBA::ULong kMostFactories = 1'000;

  // below: names of contexts from there to the location, which need not be there yet.
  explicit NamingFinder(CosNaming::NamingContext_ptr location, const CosNaming::Name& below = {})
      : location_(CosNaming::NamingContext::_duplicate(location)), below_(below) {}
  CosLifeCycle::Factories* find(const CosLifeCycle::Key& key, std::chrono::milliseconds answer,
                                const services::OperationTime& time) override;

 private:
  const CosNaming::NamingContext_var location_;
  const CosNaming::Name below_;
};

class TraderFinder final : public virtual TimedFinder {
 public:
  // Texts are the trader's to judge: what it refuses is NoFactory, with a warning in the log.
  TraderFinder(CosTrading::Lookup_ptr trader, std::string service_type, std::string constraint = {},
               std::string preference = {});
  CosLifeCycle::Factories* find(const CosLifeCycle::Key& key, std::chrono::milliseconds answer,
                                const services::OperationTime& time) override;

 private:
  const CosTrading::Lookup_var trader_;
  const std::string service_type_, constraint_, preference_;
};

// The key of an implementation's factories: {implementation, "object implementation"} (2.3.1, table 2-2).
CosLifeCycle::Key key_of(const std::string& implementation);

}  // namespace callis::life_cycle
