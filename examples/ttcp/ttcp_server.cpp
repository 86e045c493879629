// SPDX-License-Identifier: Apache-2.0
// Receives what ttcp_client sends: counts the bytes of the elements, and looks at none of them.
//
//     ttcp_server [--ior FILE] [-ORBEndpoint tcp:HOST:PORT]
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <iostream>
#include <mutex>
#include <string_view>
#include <utility>
#include "ttcp_skel.h"

// One-way calls of one client arrive in order on one connection, sync() behind them: but another connection may
// serve it, so it waits for the bytes.
class Ttcp_servant : public POA_Ttcp {
 public:
  void send_short(const ShortSeq& d) override { count(d); }
  void send_long(const LongSeq& d) override { count(d); }
  void send_double(const DoubleSeq& d) override { count(d); }
  void send_char(const CharSeq& d) override { count(d); }
  void send_octet(const OctetSeq& d) override { count(d); }
  void send_struct(const BinSeq& d) override { count(d); }

  CORBA::ULongLong sync(CORBA::ULongLong expected) override {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    CORBA::ULongLong before;
    do {
      before = received_;
      arrived_.wait_for(lock, 1s, [this, expected] { return received_ >= expected; });
    } while (received_ < expected && received_ != before);
    return std::exchange(received_, 0);
  }

 private:
  template <class Seq>
  void count(const Seq& d) {
    const std::lock_guard lock(mutex_);
    received_ += d.length() * sizeof(typename Seq::Slot);
    arrived_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  CORBA::ULongLong received_ = 0;
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const char* file = nullptr;
    if (argc == 3 && std::string_view(argv[1]) == "--ior") file = argv[2];
    else if (argc != 1) return std::cerr << "usage: ttcp_server [--ior FILE]\n", 2;

    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::ServantBase_var servant = new Ttcp_servant;
    PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    object = poa->id_to_reference(id.in());
    CORBA::String_var reference = orb->object_to_string(object.in());

    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    if (file) std::ofstream(file) << reference.in() << std::endl;
    else std::cout << reference.in() << std::endl;
    orb->run();
  } catch (const CORBA::Exception& e) {
    std::cerr << "ttcp_server: " << e.what() << '\n';
    return 1;
  }
}
