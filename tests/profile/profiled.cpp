// SPDX-License-Identifier: Apache-2.0
// Server and client of profiled.idl, for run.py:
//
//     profiled server              prints its reference; ends when it is told to stop
//     profiled client REFERENCE    makes the calls that run.py knows
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <cstring>
#include <iostream>
#include "profiled_skel.h"

namespace {

class Servant final : public POA_Service {
 public:
  explicit Servant(CORBA::ORB_ptr orb) : orb_(orb) {}
  CORBA::Long twice(CORBA::Long l) override { return 2 * l; }
  Points* reverse(const Points& p) override {
    Points_var r = new Points;
    r->length(p.length());
    for (CORBA::ULong i = 0; i < p.length(); ++i) r[i] = p[p.length() - 1 - i];
    return r._retn();
  }
  void note(const char*) override {}
  void keep(const Mixed&) override {}
  CORBA::Double sum(const Points& p) override {
    if (p.length() == 0) throw Empty(7);
    CORBA::Double s = 0;
    for (const Point& x : p) s += x.x + x.y;
    return s;
  }
  CORBA::Long level() override { return level_; }
  void level(CORBA::Long l) override { level_ = l; }
  void ping() override {}
  void stop() override { orb_->shutdown(false); }

 private:
  const CORBA::ORB_ptr orb_;
  CORBA::Long level_ = 0;
};

int serve(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  const PortableServer::Servant_var<Servant> servant = new Servant(orb);
  Service_var service = servant->_this();
  CORBA::String_var reference = orb->object_to_string(service.in());
  std::cout << reference.in() << std::endl;
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  orb->run();
  return 0;
}

int call(CORBA::ORB_ptr orb, const char* reference) {
  CORBA::Object_var object = orb->string_to_object(reference);
  Service_var service = Service::_narrow(object.in());
  Base_var base = Base::_narrow(object.in());
  Points points;
  points.length(3);
  for (int i = 0; i < 10; ++i) {
    Points_var back = service->reverse(points);
    service->note("abc");
  }
  Mixed m;
  m.which.text("");
  service->keep(m);
  for (int i = 0; i < 5; ++i) (void)service->sum(points);
  points.length(0);
  try {
    (void)service->sum(points);
    return 1;
  } catch (const Empty& e) {
    if (e.code != 7) return 1;
  }
  (void)service->twice(1);
  (void)base->twice(2);
  service->level(3);
  if (service->level() != 3) return 1;
  service->ping();
  service->stop();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    int status = 2;
    if (argc == 2 && std::strcmp(argv[1], "server") == 0) status = serve(orb.in());
    if (argc == 3 && std::strcmp(argv[1], "client") == 0) status = call(orb.in(), argv[2]);
    orb->destroy();
    return status;
  } catch (const CORBA::Exception& e) {
    std::cerr << "profiled: " << e.what() << '\n';
    return 1;
  }
}
