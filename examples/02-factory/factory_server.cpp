// SPDX-License-Identifier: Apache-2.0
// Serves a Shop, which makes Cart objects. Each cart is a servant of its own, and is freed after destroy().
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <signal.h>
#include <atomic>
#include <iostream>
#include <mutex>
#include <thread>
#include "market_skel.h"

// Requests come in several threads: what a servant holds has a mutex, or is atomic.
std::atomic<CORBA::ULong> carts_in_use{0};

class CartServant : public POA_Market::Cart {
 public:
  explicit CartServant(PortableServer::POA_ptr poa) : poa_(PortableServer::POA::_duplicate(poa)) { ++carts_in_use; }
  ~CartServant() override { std::cout << "a cart has been freed" << std::endl; }

 private:
  Market::Items* content() override {
    const std::lock_guard lock(mutex_);
    return new Market::Items(content_);
  }
  void add(const char* item) override {
    const std::lock_guard lock(mutex_);
    content_.length(content_.length() + 1);
    content_[content_.length() - 1] = CORBA::string_dup(item);
  }
  // From now on calls are OBJECT_NOT_EXIST. The adapter frees the servant after the last call, which is this one.
  void destroy() override {
    PortableServer::ObjectId_var id = poa_->servant_to_id(this);
    poa_->deactivate_object(id);
    --carts_in_use;
  }

  PortableServer::POA_var poa_;
  std::mutex mutex_;
  Market::Items content_;
};

class ShopServant : public POA_Market::Shop {
 public:
  explicit ShopServant(PortableServer::POA_ptr poa) : poa_(PortableServer::POA::_duplicate(poa)) {}

 private:
  CORBA::ULong carts_in_use() override { return ::carts_in_use; }
  Market::Cart_ptr take_cart() override {
    PortableServer::ServantBase_var cart = new CartServant(poa_);  // activate_object adds the adapter's count
    PortableServer::ObjectId_var id = poa_->activate_object(cart);
    CORBA::Object_var object = poa_->id_to_reference(id);
    return Market::Cart::_narrow(object);
  }

  PortableServer::POA_var poa_;
};

int main(int argc, char** argv) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // for this thread and those that it starts
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);

    PortableServer::ServantBase_var servant = new ShopServant(poa);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    CORBA::String_var reference = orb->object_to_string(object);
    std::cout << reference.in() << std::endl;

    std::jthread ender([&] {
      int number = 0;
      sigwait(&ends, &number);
      orb->shutdown(false);
    });
    orb->run();
    ender.join();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "factory_server: " << e.what() << '\n';
    return 1;
  }
}
