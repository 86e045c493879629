// SPDX-License-Identifier: Apache-2.0
// Service: a trader (OMG Trading Object Service 1.0) in an ORB: a full-service trader, with Lookup, Register, Link,
// Proxy and Admin, and its repository of service types.
//
//   request ──→ servants ──→ Market ──→ Types, Links, Settings, Catalogue (memory) and Keeper (store)
//                   └──────→ Query ──→ Dynamic (exporters' objects), Federation (other traders), Iterators
//
// Adapter "Trading" below the root, persistent, and in it "iterators", transient. A thread of its own reaps
// iterators. Any thread.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/common/rest.h>
#include <services/trading/servants.h>
#include <memory>
#include <thread>

namespace callis::trading {

struct ServiceOptions {
  Market::Options market;
  Dynamic::Options dynamic;
  Federation::Options federation;
  bool admin = true;  // links and settings may be changed
};

// The kind of store that it keeps its offers in.
services::StoreKind store_kind();

class Service {
 public:
  // Makes the adapters and reads the store; registers Lookup as kInitialReference. All that is passed outlives this.
  // Throws services::StoreFailed, ORB::InvalidName where something is registered already, and system exceptions.
  Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, services::Store& store, services::Counters& counters,
          const ServiceOptions& options = {});
  // Ends the adapters, when no request is in them any more.
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  const Parts& parts() const { return parts_; }
  Market& market() { return market_; }
  std::size_t iterators() const { return iterators_->size(); }
  // False: another trader has taken the store over.
  bool healthy() { return market_.keeper().owns(); }
  // No other trader and no exporter is called any more.
  void stop();

  static constexpr const char* kInitialReference = "TradingService";
  static constexpr std::chrono::milliseconds kEvery{1'000};

 private:
  CORBA::Object_var activate(const char* id, PortableServer::ServantBase* servant);
  void keep_house();

  const ServiceOptions options_;
  const CORBA::ORB_var orb_;
  Market market_;
  Dynamic dynamic_;
  Federation federation_;
  PortableServer::POA_var poa_;
  std::unique_ptr<Iterators> iterators_;
  std::unique_ptr<Services> services_;
  Parts parts_;
  services::Counters::Source gauges_;
  services::Rest rest_;  // of the housekeeper
  std::thread housekeeper_;
};

}  // namespace callis::trading
