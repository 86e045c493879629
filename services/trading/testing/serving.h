// SPDX-License-Identifier: Apache-2.0
// A trader and a client of it, in two ORBs of the process, over sockets.
#pragma once
#include <gtest/gtest.h>
#include <services/common/memory_store.h>
#include <services/common/testing/orbs.h>
#include <services/trading/service.h>
#include <atomic>
#include <future>
#include <string>
#include <vector>
#include "CosTradingDynamic_skel.h"

namespace callis::trading::testing {

using CosTrading::Lookup;

using services::testing::new_orb, services::testing::root_of;

template<class T>
CORBA::Any any_of(T value) {
  CORBA::Any out;
  out <<= value;
  return out;
}
inline CORBA::Any any_of(bool value) {
  CORBA::Any out;
  out <<= CORBA::Any::from_boolean(value);
  return out;
}

class Props {
 public:
  Props(std::initializer_list<std::pair<const char*, CORBA::Any>> all) {
    seq_.length(static_cast<CORBA::ULong>(all.size()));
    CORBA::ULong i = 0;
    for (const auto& [name, value] : all) {
      seq_[i].name = name;
      seq_[i++].value = value;
    }
  }
  operator const CosTrading::PropertySeq&() const { return seq_; }

 private:
  CosTrading::PropertySeq seq_;
};

class Given {
 public:
  Given() = default;
  Given(std::initializer_list<std::pair<const char*, CORBA::Any>> all) {
    seq_.length(static_cast<CORBA::ULong>(all.size()));
    CORBA::ULong i = 0;
    for (const auto& [name, value] : all) {
      seq_[i].name = name;
      seq_[i++].value = value;
    }
  }
  operator const CosTrading::PolicySeq&() const { return seq_; }

 private:
  CosTrading::PolicySeq seq_;
};

// The answer of a query.
struct Answer {
  std::vector<std::string> ids;  // the keys of the references, as "thing-3"
  std::vector<std::string> limits;
  CosTrading::OfferSeq_var offers;
  CosTrading::OfferIterator_var more;
};

struct Serving {
  services::Counters counters;
  std::unique_ptr<services::MemoryStore> own_store;
  services::Store& store;
  CORBA::ORB_var orb, client;
  std::unique_ptr<Service> service;
  Lookup::_var_type lookup;
  CosTrading::Register_var reg;
  CosTrading::Link_var link;
  CosTrading::Proxy_var proxy;
  CosTrading::Admin_var admin;
  CosTradingRepos::ServiceTypeRepository_var types;

  explicit Serving(const ServiceOptions& options = quick(), services::Store* kept = nullptr)
      : own_store(kept ? nullptr : std::make_unique<services::MemoryStore>()), store(kept ? *kept : *own_store) {
    static std::atomic<int> count;
    const std::string id = "trading-" + std::to_string(++count);
    orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, id + "-server");
    client = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, id + "-client");
    const PortableServer::POA_var poa = root_of(orb.in());
    service = std::make_unique<Service>(orb.in(), poa.in(), store, counters, options);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    const PortableServer::POA_var client_poa = root_of(client.in());
    PortableServer::POAManager_var(client_poa->the_POAManager())->activate();
    lookup = seen_by(*this);
    reg = lookup->register_if();
    link = lookup->link_if();
    proxy = lookup->proxy_if();
    admin = lookup->admin_if();
    const CORBA::Object_var repository = lookup->type_repos();
    types = CosTradingRepos::ServiceTypeRepository::_narrow(repository.in());
  }
  ~Serving() {
    lookup = Lookup::_nil();
    service->stop();
    client->destroy();
    service.reset();
    orb->destroy();
  }

  static ServiceOptions quick() {
    ServiceOptions out;
    out.dynamic.deadline = std::chrono::milliseconds(300);
    out.dynamic.query_deadline = std::chrono::milliseconds(2'000);
    return out;
  }
  // This trader's Lookup as the client of another sees it.
  CosTrading::Lookup_var seen_by(const Serving& other) const {
    const CORBA::String_var text = orb->object_to_string(service->parts().lookup.in());
    const CORBA::Object_var object = other.client->string_to_object(text.in());
    return Lookup::_narrow(object.in());
  }
  CORBA::Object_var thing(const std::string& name) const {
    return client->string_to_object(("corbaloc::127.0.0.1:9/" + name).c_str());
  }

  struct Declared {
    const char* name;
    CORBA::TypeCode_ptr type;
    Repository::PropertyMode mode = Repository::PROP_NORMAL;
  };
  void add_type(const char* name, const std::vector<Declared>& props, const std::vector<const char*>& supers = {}) {
    Repository::PropStructSeq list;
    list.length(static_cast<CORBA::ULong>(props.size()));
    for (CORBA::ULong i = 0; i < props.size(); ++i) {
      list[i].name = props[i].name;
      list[i].value_type = CORBA::TypeCode::_duplicate(props[i].type);
      list[i].mode = props[i].mode;
    }
    Repository::ServiceTypeNameSeq names;
    names.length(static_cast<CORBA::ULong>(supers.size()));
    for (CORBA::ULong i = 0; i < supers.size(); ++i) names[i] = supers[i];
    types->add_type(name, "", list, names);
  }
  std::string offer(const std::string& thing_name, const char* type, const CosTrading::PropertySeq& properties) {
    return CORBA::String_var(reg->_cxx_export(thing(thing_name).in(), type, properties)).in();
  }
  Answer query(const char* type, const char* constraint, const char* preference = "", const Given& policies = {},
               CORBA::ULong how_many = 1000) {
    Lookup::SpecifiedProps all;
    all._d(Lookup::all);
    Answer out;
    CosTrading::PolicyNameSeq_var limits;
    lookup->query(type, constraint, preference, policies, all, how_many, out.offers.out(), out.more.out(),
                  limits.out());
    for (CORBA::ULong i = 0; i < limits->length(); ++i) out.limits.emplace_back(limits[i]);
    for (CORBA::ULong i = 0; i < out.offers->length(); ++i) out.ids.push_back(key_of(out.offers[i].reference.in()));
    return out;
  }
  std::string found(const char* type, const char* constraint, const char* preference = "min Cost") {
    std::string out;
    for (const std::string& id : query(type, constraint, preference).ids) out += (out.empty() ? "" : " ") + id;
    return out;
  }
  std::string key_of(CORBA::Object_ptr object) const {
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
      if (object->_is_equivalent(thing(name).in())) return name;
    }
    return "?";
  }
};

// An exporter's object that tells values of dynamic properties; held: it does not answer until let go.
class Evaluator : public POA_CosTradingDynamic::DynamicPropEval {
 public:
  std::atomic<int> asked{0};
  CORBA::Any answer;
  std::shared_future<void> held;

  CORBA::Any* evalDP(const char* name, CORBA::TypeCode_ptr type, const CORBA::Any& extra) override {
    ++asked;
    if (held.valid()) held.wait();
    const char* text = nullptr;
    if ((extra >>= text) && std::string_view(text) == "fail")
      throw CosTradingDynamic::DPEvalFailure(name, type, extra);
    return new CORBA::Any(answer);
  }
};

}  // namespace callis::trading::testing
