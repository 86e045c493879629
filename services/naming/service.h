// SPDX-License-Identifier: Apache-2.0
// Service: a naming service (OMG Naming Service 1.3) in an ORB.
//
//   request ──→ ContextServant ──→ Directory ──→ Model        names
//                    │                 └───────→ Store        what is kept; other instances
//                    ├──→ References                          of contexts, and those that are bound
//                    ├──→ Iterators                           what list() did not return at once
//                    └──→ Federation                          other services' contexts
//
//                         Administration                      for the operator
//
// Adapter "NameService" below the root, persistent, and in it "iterators" and "administration", transient. A thread
// of its own reaps iterators and asks a shared store for the other instances.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/common/rest.h>
#include <services/naming/administration.h>
#include <memory>
#include <thread>

namespace callis::naming {

struct ServiceOptions {
  bool readonly = false;
  Bounds bounds;
  // Of a call to another service.
  std::chrono::milliseconds federation_deadline{5'000};
  // How often the store is asked for the other instances.
  std::chrono::milliseconds every{1'000};
  // What is kept counts there; it outlives the service. nullptr: nothing is counted.
  services::MemoryBound* memory = nullptr;
};

// The kind of store that it keeps its names in.
services::StoreKind store_kind();

class Service {
 public:
  // Makes the adapters, registers the root context as kInitialReference, and reads the store. Requests wait until
  // root_poa's manager is active: so clients that come while the store is read are not told that there is no such
  // object. All that is passed outlives this; watching outlives the store, too. Throws services::StoreFailed,
  // ORB::InvalidName where something is registered already, and system exceptions.
  Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, services::Store& store, Watching& watching,
          services::Counters& counters, const ServiceOptions& options = {});
  // Ends the adapters, when no request is in them any more.
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // The root context, with the addresses of all instances that are known. The initial reference follows them.
  CORBA::Object_var reference() const { return references_->context(kRoot); }
  const Directory& directory() const { return directory_; }
  std::size_t iterators() const { return iterators_->size(); }

  static constexpr const char* kInitialReference = "NameService";

 private:
  PortableServer::POA_var make_adapter(PortableServer::POA_ptr root_poa);
  // Reached by its key, as the root context is.
  void serve_administration();
  void tell_reference();
  void keep_house();
  void look_for_instances();

  const CORBA::ORB_var orb_;
  services::Store& store_;
  const ServiceOptions options_;
  const PortableServer::POA_var poa_;
  Directory directory_;
  std::unique_ptr<References> references_;
  std::unique_ptr<Iterators> iterators_;
  Federation federation_;
  std::atomic<std::int64_t> instances_{1};
  services::Counters::Source gauges_;
  services::Rest rest_;  // of the housekeeper
  std::thread housekeeper_;
};

}  // namespace callis::naming
