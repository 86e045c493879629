// SPDX-License-Identifier: Apache-2.0
// A server and a client of the micro profile in one process and on one thread: while the client waits, the server
// serves.
#pragma once
#include <gtest/gtest.h>
#include <callis/corba.h>
#include <callis/ior/text.h>
#include <callis/micro/loop.h>
#include <callis/micro/reference.h>
#include <callis/micro/socket.h>
#include <callis/portable_server.h>
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>
#include "parts_skel.h"

namespace callis::micro::testing {

class Meter final : public POA_Parts::Meter {
 public:
  explicit Meter(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}

  CORBA::Long twice(CORBA::Long n) override { return ++calls_, 2 * n; }
  char* echo(const char* text, CORBA::Long& length, CORBA::String_out reversed) override {
    std::string turned(text);
    std::ranges::reverse(turned);
    length += static_cast<CORBA::Long>(turned.size());
    reversed = CORBA::string_dup(turned.c_str());
    return CORBA::string_dup(text);
  }
  Parts::Readings* sorted(const Parts::Readings& some) override {
    auto* const all = new Parts::Readings(some);
    std::sort(all->get_buffer(), all->get_buffer() + all->length(),
              [](const Parts::Reading& a, const Parts::Reading& b) { return a.value < b.value; });
    return all;
  }
  Parts::Octets* bytes(CORBA::ULong count) override {
    auto* const all = new Parts::Octets;
    all->length(count);
    for (CORBA::ULong i = 0; i < count; ++i) (*all)[i] = static_cast<CORBA::Octet>(i);
    return all;
  }
  void refuse(const char* why, CORBA::Long code) override { throw Parts::Refused(why, code); }
  void fail() override { throw CORBA::NO_PERMISSION(4711, CORBA::COMPLETED_YES); }
  void fail_badly() override { throw std::runtime_error("broken"); }
  void note(const char* text) override { noted_ = text; }
  char* noted() override { return CORBA::string_dup(noted_.c_str()); }
  CORBA::Long call_back(Parts::Listener_ptr whom, const char* text) override { return whom->heard(text); }
  Parts::Meter_ptr itself() override { return _this(); }
  void end() override {
    const PortableServer::POA_var poa = _default_POA();
    poa->deactivate_object(PortableServer::ObjectId_var(poa->servant_to_id(this)).in());
  }
  void stop() override { orb_->shutdown(false); }
  CORBA::WChar wide(CORBA::WChar c) override { return c; }
  CORBA::Long calls() override { return calls_; }

 private:
  const CORBA::ORB_var orb_;
  CORBA::Long calls_ = 0;
  std::string noted_;
};

inline CORBA::ORB_ptr make_orb(const char* id, std::vector<std::string> options = {}) {
  std::vector<char*> argv;
  for (std::string& o : options) argv.push_back(o.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(options.size());
  return CORBA::ORB_init(argc, argv.data(), id);
}

// An ORB with one object.
struct Served {
  explicit Served(std::vector<std::string> options = {}, const char* id = "server") {
    if (std::ranges::find(options, "-ORBEndpoint") == options.end())
      options.insert(options.end(), {"-ORBEndpoint", "tcp:127.0.0.1:0"});
    orb = make_orb(id, std::move(options));
    const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    poa = PortableServer::POA::_narrow(root.in());
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    servant = new Meter(orb.in());
    id_of_object = poa->activate_object(servant.in());
  }
  ~Served() {
    try {
      orb->destroy();
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
    }
  }

  std::string text() const {
    const CORBA::Object_var object = poa->id_to_reference(id_of_object.in());
    return CORBA::String_var(orb->object_to_string(object.in())).in();
  }

  CORBA::ORB_var orb;
  PortableServer::POA_var poa;
  PortableServer::Servant_var<Meter> servant;
  PortableServer::ObjectId_var id_of_object;
};

struct Client {
  explicit Client(std::vector<std::string> options = {}, const char* id = "client")
      : orb(make_orb(id, std::move(options))) {}
  ~Client() {
    try {
      orb->destroy();
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
    }
  }
  Parts::Meter_ptr meter(const std::string& text) const {
    const CORBA::Object_var object = orb->string_to_object(text.c_str());
    return Parts::Meter::_narrow(object.in());
  }
  CORBA::ORB_var orb;
};

inline ior::Address address_of(CORBA::Object_ptr object) {
  Place place;
  EXPECT_TRUE(first_place(object->_callis_reference()->ior(), {}, place));
  return place.address;
}

template <class E, class F>
E caught(F&& f) {
  try {
    f();
  } catch (const E& e) {
    return e;
  } catch (const std::exception& e) {
    ADD_FAILURE() << "another exception: " << e.what();
    return E();
  }
  ADD_FAILURE() << "no exception";
  return E();
}

}  // namespace callis::micro::testing
