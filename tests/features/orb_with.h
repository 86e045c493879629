// SPDX-License-Identifier: Apache-2.0
// An ORB of its own with these options, destroyed at the end.
#pragma once
#include <callis/corba.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/api/initial.h>
#include <callis/portable_server.h>
#include <string>
#include <vector>

namespace callis::features {

class OrbWith {
 public:
  explicit OrbWith(std::vector<std::string> options) {
    static int number = 0;
    std::vector<char*> argv;
    std::string program = "test";
    argv.push_back(program.data());
    for (std::string& o : options) argv.push_back(o.data());
    int argc = static_cast<int>(argv.size());
    argv.push_back(nullptr);
    orb_ = CORBA::ORB_init(argc, argv.data(), ("features" + std::to_string(++number)).c_str());
  }
  ~OrbWith() { orb_->destroy(); }
  OrbWith(const OrbWith&) = delete;
  OrbWith& operator=(const OrbWith&) = delete;
  CORBA::ORB_ptr operator->() const { return orb_.in(); }
  PortableServer::POA_ptr root() {
    const PortableServer::POA_var any(
        callis::poa::default_root());  // so that the adapter is linked, as with any servant
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    return PortableServer::POA::_narrow(object);
  }

 private:
  CORBA::ORB_var orb_;
};

// The text of what f throws; empty for nothing.
template <class F>
std::string thrown_by(F f) {
  try {
    f();
  } catch (const CORBA::Exception& e) {
    return e.what();
  }
  return {};
}
inline std::string thrown_with(std::vector<std::string> options) {
  return thrown_by([&] { OrbWith orb(std::move(options)); });
}

}  // namespace callis::features
