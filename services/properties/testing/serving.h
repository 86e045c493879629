// SPDX-License-Identifier: Apache-2.0
// A property service and a client of it, in two ORBs of the process, over sockets; and shorter ways to say
// properties.
#pragma once
#include <gtest/gtest.h>
#include <services/common/memory_store.h>
#include <services/common/testing/anys.h>
#include <services/common/testing/orbs.h>
#include <services/common/testing/places.h>
#include <services/properties/service.h>
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace callis::properties::testing {

namespace cos = CosPropertyService;

using services::testing::any, services::testing::long_of, services::testing::new_orb;

// The result of an operation.
inline CORBA::Long long_in(CORBA::Any* result) {
  const CORBA::Any_var owned(result);
  return long_of(owned.in());
}

struct Def {
  std::string name;
  CORBA::Any value;
  cos::PropertyModeType mode = cos::normal;
};
inline cos::PropertyDefs defs(const std::vector<Def>& all) {
  cos::PropertyDefs out;
  out.length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) {
    out[i].property_name = all[i].name.c_str();
    out[i].property_value = all[i].value;
    out[i].property_mode = all[i].mode;
  }
  return out;
}
inline cos::Properties properties(const std::vector<Def>& all) {
  cos::Properties out;
  out.length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) {
    out[i].property_name = all[i].name.c_str();
    out[i].property_value = all[i].value;
  }
  return out;
}
inline cos::PropertyNames names(const std::vector<std::string>& all) {
  cos::PropertyNames out;
  out.length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) out[i] = all[i].c_str();
  return out;
}
inline cos::PropertyModes modes(const std::vector<std::pair<std::string, cos::PropertyModeType>>& all) {
  cos::PropertyModes out;
  out.length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) {
    out[i].property_name = all[i].first.c_str();
    out[i].property_mode = all[i].second;
  }
  return out;
}
inline cos::PropertyTypes types(const std::vector<CORBA::TypeCode_ptr>& all) {
  cos::PropertyTypes out;
  out.length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) out[i] = CORBA::TypeCode::_duplicate(all[i]);
  return out;
}

using Failed = std::vector<std::pair<std::string, cos::ExceptionReason>>;
// What MultipleExceptions told; empty: nothing was thrown.
template <class Call>
Failed failed(Call&& call) {
  Failed out;
  try {
    call();
  } catch (const cos::MultipleExceptions& e) {
    EXPECT_NE(e.exceptions.length(), 0u);
    for (CORBA::ULong i = 0; i < e.exceptions.length(); ++i)
      out.emplace_back(e.exceptions[i].failing_property_name.in(), e.exceptions[i].reason);
  }
  return out;
}

// One life of a service; its store outlives it.
class Life final : public services::testing::TwoOrbs {
 public:
  explicit Life(services::Store& store, const ServiceOptions& options = {}, const std::string& port = "0",
                services::Relay* relay = nullptr)
      : TwoOrbs("properties", port) {
    service = std::make_unique<Service>(orb.in(), root.in(), store, relay, counters, options);
    activate();
    const CORBA::Object_var object = at(service->reference());
    factory = CallisProperties::Service::_narrow(object.in());
  }
  ~Life() {
    factory = CallisProperties::Service::_nil();
    client->destroy();
    orb->shutdown(true);
    service.reset();
    orb->destroy();
  }

  services::Counters counters;
  std::unique_ptr<Service> service;
  CallisProperties::Service_var factory;  // of the client
};

// A store that has been opened, and what watches it.
struct Opened {
  explicit Opened(const std::string& where) : store(services::open_store(where, store_kind())) {}
  services::Relay relay;
  const std::unique_ptr<services::Store> store;
};

// A service on the store that the parameter names (services/common/testing/places.h).
struct Serving : ::testing::TestWithParam<const char*> {
  // memory: where the other is missing, and the test is skipped.
  const std::unique_ptr<services::testing::Place> place = services::testing::make_place(GetParam());
  std::unique_ptr<Opened> opened = std::make_unique<Opened>(place ? place->where() : "memory");
  std::unique_ptr<Life> life = std::make_unique<Life>(*opened->store, ServiceOptions(), "0", &opened->relay);

  void SetUp() override {
    if (!place) GTEST_SKIP() << "there is no " << GetParam();
  }
  // Another life of the service, with what the store has.
  void restart(const ServiceOptions& options) {
    life.reset();
    if (place->keeps()) {
      opened.reset();
      opened = std::make_unique<Opened>(place->where());
    }
    life = std::make_unique<Life>(*opened->store, options, "0", &opened->relay);
  }
  services::Store& store() { return *opened->store; }
  CallisProperties::Service_ptr factory() { return life->factory.in(); }
};

}  // namespace callis::properties::testing
