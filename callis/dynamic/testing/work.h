// SPDX-License-Identifier: Apache-2.0
// A servant with a skeleton, for requests without stubs, and ORBs for both.
#pragma once
#include <callis/dynamic.h>
#include <callis/poa/testing/orb_fixture.h>
#include <gtest/gtest.h>
#include <atomic>
#include <functional>
#include <future>
#include "dynamic_skel.h"

namespace callis::dynamic::testing {

inline const std::string kTcp = "tcp:127.0.0.1:0";

class Work : public POA_Dyn::Work {
 public:
  CORBA::Long add(CORBA::Long a, CORBA::Long b) override {
    if (before_add) before_add(a);
    return a + b;
  }
  Dyn::Points* run(Dyn::Color tint, Dyn::Points& all, CORBA::Long_out count, const CORBA::Any& extra) override {
    const char* text = "";
    extra >>= text;
    const std::string_view wish = text ? text : "";
    if (wish == "break") throw Dyn::Broken("so", Dyn::Point{7, CORBA::string_dup("there")});
    if (wish == "late") throw Dyn::Late();
    count = static_cast<CORBA::Long>(tint);
    auto* const result = new Dyn::Points(all);
    all.length(1);
    all[0u].label = CORBA::string_dup("changed");
    return result;
  }
  char* find(const char* name, CORBA::Context_ptr context) override {
    CORBA::NVList_var values;
    context->get_values("", 0, "*", values.out());
    const char* s = "";
    std::string text = name;
    for (CORBA::ULong i = 0; i < values->count(); ++i) {
      *values->item(i)->value() >>= s;
      text += std::string(",") + values->item(i)->name() + "=" + s;
    }
    return CORBA::string_dup(text.c_str());
  }
  CORBA::WChar* widen(const char* narrow) override {
    return CORBA::wstring_dup(std::wstring(narrow, narrow + std::strlen(narrow)).c_str());
  }
  void tell(CORBA::Short number) override { told.set_value(number); }
  CORBA::Double level() override { return level_; }
  void level(CORBA::Double to) override { level_ = to; }
  void nothing() override { throw CORBA::BAD_OPERATION(77, CORBA::COMPLETED_YES); }

  std::function<void(CORBA::Long)> before_add;
  std::promise<CORBA::Short> told;

 private:
  CORBA::Double level_ = 2.5;
};

inline CORBA::ORB_ptr make_orb(std::vector<std::string> options) {
  static std::atomic<int> number{0};
  return poa::testing::make_orb(("dynamic" + std::to_string(++number)).c_str(), std::move(options));
}

// How the client reaches the server: by an ORB of its own with these options, or as the server's ORB (own).
struct Way {
  const char* name;
  bool own;
  std::vector<std::string> server, client;
  friend void PrintTo(const Way& way, std::ostream* to) { *to << way.name; }
};

// A server's ORB, whose root adapter is active, and the client's, which may be the same.
class TwoOrbs {
 protected:
  explicit TwoOrbs(const Way& way)
      : orb(make_orb(way.server)), client(way.own ? CORBA::ORB::_duplicate(orb.in()) : make_orb(way.client)) {
    const CORBA::Object_var o = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(o.in());
    PortableServer::POAManager_var(root->the_POAManager())->activate();
  }
  ~TwoOrbs() {
    if (client.in() != orb.in()) client->destroy();
    orb->destroy();
  }
  // A reference of the server's, as the client has it.
  CORBA::Object_ptr seen(CORBA::Object_ptr servers) {
    const CORBA::String_var text = orb->object_to_string(servers);
    return client->string_to_object(text.in());
  }
  CORBA::Object_ptr activate(PortableServer::ServantBase* servant) {
    const PortableServer::ObjectId_var id = root->activate_object(servant);
    return root->id_to_reference(id.in());
  }

  CORBA::ORB_var orb, client;
  PortableServer::POA_var root;
};

// The OMG's minor code of the BAD_INV_ORDER that act() throws; 0 when it throws none.
template <class Act>
CORBA::ULong minor_of(Act act) {
  try {
    act();
  } catch (const CORBA::BAD_INV_ORDER& e) {
    return e.minor() & 0xfff;
  }
  return 0;
}

}  // namespace callis::dynamic::testing
