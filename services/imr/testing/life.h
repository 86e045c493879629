// SPDX-License-Identifier: Apache-2.0
// A repository in this process.
#pragma once
#include <callis/orb/core/object_of.h>
#include <services/common/store.h>
#include <services/imr/service.h>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace callis::imr::testing {

inline CORBA::ORB_var make_orb(std::vector<std::string> words) {
  static std::atomic<int> count{0};
  words.insert(words.begin(), "test");
  words.insert(words.end(), {"-ORBid", "imr-test-" + std::to_string(++count)});
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data());
}

// One life of a repository; the store and its address outlive it.
class Life final {
 public:
  Life(services::Store& store, const std::string& port, const Settings& settings)
      : orb_(make_orb({"-ORBEndpoint", "tcp:127.0.0.1:" + port})) {
    const CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object.in());
    service = std::make_unique<Service>(orb_.in(), root_.in(), store, counters, settings);
    service->begin();
    orb_->register_initial_reference(kServiceName, service->reference());
    const PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
  }
  ~Life() {
    orb_->shutdown(true);
    service.reset();
    orb_->destroy();
  }
  std::string text() const { return CORBA::String_var(orb_->object_to_string(service->reference())).in(); }
  const ior::Ior& ior() const { return orb::reference_of(service->reference()).ior(); }

  services::Counters counters;
  std::unique_ptr<Service> service;

 private:
  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
};

}  // namespace callis::imr::testing
