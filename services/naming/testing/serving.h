// SPDX-License-Identifier: Apache-2.0
// A naming service and a client of it, in two ORBs of the process, over sockets.
#pragma once
#include <services/common/testing/orbs.h>
#include <services/naming/service.h>
#include <services/naming/testing/cluster.h>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace callis::naming::testing {

using services::testing::new_orb;

// The text's components; a name that is none is empty.
inline CosNaming::Name name_of(std::string_view text) {
  OwnedName name;
  if (!parse_name(text, name)) return {};
  return to_name(name.components());
}

struct Serving {
  std::unique_ptr<Cluster> own_cluster;
  Cluster& cluster;
  Watching watching;
  Member store;
  services::Counters counters;
  CORBA::ORB_var orb, client;
  std::unique_ptr<Service> service;
  std::string ior;
  CosNaming::NamingContextExt_var root;  // of the client

  explicit Serving(const ServiceOptions& options = {}, Cluster* shared = nullptr, std::vector<std::string> words = {})
      : own_cluster(shared ? nullptr : std::make_unique<Cluster>()), cluster(shared ? *shared : *own_cluster),
        store(cluster, shared != nullptr) {
    static std::atomic<int> count;
    const std::string id = "naming-" + std::to_string(++count);
    words.insert(words.end(), {"-ORBEndpoint", "tcp:127.0.0.1:0"});
    orb = new_orb(words, id + "-server");
    client = new_orb({}, id + "-client");
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
    service = std::make_unique<Service>(orb.in(), poa.in(), store, watching, counters, options);
    object = service->reference();
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    ior = CORBA::String_var(orb->object_to_string(object.in())).in();
    root = at(ior);
  }
  ~Serving() {
    root = CosNaming::NamingContextExt::_nil();
    client->destroy();
    service.reset();
    orb->destroy();
  }

  CosNaming::NamingContextExt_var at(const std::string& reference) {
    const CORBA::Object_var object = client->string_to_object(reference.c_str());
    return CosNaming::NamingContextExt::_narrow(object.in());
  }
  CORBA::Object_var object(const std::string& url = "corbaloc::127.0.0.1:1/thing") {
    return client->string_to_object(url.c_str());
  }
};

}  // namespace callis::naming::testing
