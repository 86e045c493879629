// SPDX-License-Identifier: Apache-2.0
// Service: property sets in an ORB, and the object that makes them (CallisProperties::Service). Sets are objects of
// persistent adapters: their references are good as long as the sets are there, also in the next process with the
// same store and port. Several services on one shared store have the same sets. Any thread.
#pragma once
#include <callis/base/thread.h>
#include <services/common/rest.h>
#include <services/properties/iterators.h>
#include <services/properties/sets.h>
#include "CallisProperties.h"

namespace callis::properties {

struct ServiceOptions {
  Bounds bounds;  // with the bound of memory; `twice` is found out
  std::size_t sets = 100'000;
  std::chrono::milliseconds every{30'000};  // how often iterators are reaped
};

services::StoreKind store_kind();

class Service {
 public:
  // Makes adapter "PropertyService" below the root, and others below it; they serve when root_poa's manager is
  // active. All that is passed outlives this. relay: of a shared store, which it outlives; with others it may be
  // nullptr. Throws StoreFailed and system exceptions.
  Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, services::Store& store, services::Relay* relay,
          services::Counters& counters, const ServiceOptions& options = {});
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  CORBA::Object_ptr reference() const { return reference_.in(); }
  Sets& sets() { return sets_; }
  Iterators& iterators() { return *iterators_; }

  static constexpr const char* kInitialReference = "PropertyService";
  static constexpr std::size_t kMostNameBytes = 255;

 private:
  friend class ServiceServant;
  // The caller owns it.
  CORBA::Object_ptr reference_to(const Sets::Known& known) const;
  void keep_house();

  const CORBA::ORB_var orb_;
  Sets sets_;
  const std::chrono::milliseconds every_;
  PortableServer::POA_var poa_, sets_poa_, defs_poa_;
  std::unique_ptr<Iterators> iterators_;
  CORBA::Object_var reference_;
  services::Counters::Counter& created_;
  services::Counters::Source gauges_;
  services::Rest rest_;  // of the housekeeper
  Thread housekeeper_;
};

}  // namespace callis::properties
