// SPDX-License-Identifier: Apache-2.0
// A repository and a client of it, in two ORBs of the process.
#pragma once
#include <services/common/testing/orbs.h>
#include <services/ifr/feeding.h>
#include <services/ifr/service.h>
#include <services/ifr/testing/files.h>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace callis::ifr::testing {

using services::testing::new_orb;

struct Serving {
  const std::string endpoint;
  CORBA::ORB_var orb, client;
  std::unique_ptr<Service> service;
  CORBA::Repository_var repository;
  CallisIfr::Repository_var ours;

  explicit Serving(Store* store = nullptr, const Bounds& bounds = {}) : endpoint(next_endpoint()) {
    orb = new_orb({"-ORBEndpoint", endpoint}, endpoint + "-server");
    client = new_orb({}, endpoint + "-client");
    service = std::make_unique<Service>(orb.in(), store, bounds);
    service->serve();
    const CORBA::Object_var own = service->reference();
    const CORBA::String_var text = orb->object_to_string(own.in());
    const CORBA::Object_var object = client->string_to_object(text.in());
    repository = CORBA::Repository::_narrow(object.in());
    ours = CallisIfr::Repository::_narrow(object.in());
  }
  ~Serving() {
    repository = CORBA::Repository::_nil();
    ours = CallisIfr::Repository::_nil();
    client->destroy();
    orb->destroy();
  }

  CallisIfr::Fed feed(const std::string& idl) {
    CORBA::OctetSeq bytes(static_cast<CORBA::ULong>(idl.size()), static_cast<CORBA::ULong>(idl.size()),
                          reinterpret_cast<CORBA::Octet*>(const_cast<char*>(idl.data())), false);
    return ours->feed("test.idl", bytes);
  }
  template<class I>
  typename I::_var_type at(const char* name) {
    const CORBA::Contained_var found = repository->lookup(name);
    return I::_narrow(found.in());
  }

 private:
  static std::string next_endpoint() {
    static std::atomic<int> count;
    return "memory:ifr-" + std::to_string(++count);
  }
};

}  // namespace callis::ifr::testing
