// SPDX-License-Identifier: Apache-2.0
// server --reference FILE [--watch FILE] [-ORB...]: Param_Test by an ORB without real time, for omniORB. Its upcalls
// are watched as those of server.cpp are.
#include "../common/servants.h"
#include "watch.h"

namespace {

using namespace bench;

class Watched final : public Param {
 public:
  explicit Watched(const std::string& file) : watch_(file, 0) {}
  CORBA::Short test_short(CORBA::Short s1, CORBA::Short& s2, CORBA::Short_out s3) override {
    watch_.upcall(s1 < 0);
    return Param::test_short(s1, s2, s3);
  }

 private:
  realtime::Watch watch_;
};

int serve(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  expect(argc == 3 || argc == 5, "usage: server --reference FILE [--watch FILE]");
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  PortableServer::ServantBase_var servant = new Watched(argc == 5 ? argv[4] : "");
  PortableServer::ObjectId_var id = root->activate_object(servant.in());
  PortableServer::POAManager_var(root->the_POAManager())->activate();
  object = root->id_to_reference(id.in());
  std::ofstream(argv[2]) << CORBA::String_var(orb->object_to_string(object.in())).in() << '\n';
  std::puts("ready");
  std::fflush(stdout);
  orb->run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_guarded([&] { return serve(argc, argv); });
}
