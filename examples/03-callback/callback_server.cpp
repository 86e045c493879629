// SPDX-License-Identifier: Apache-2.0
// Serves a Feed: calls all listeners about each headline, and forgets those that are gone.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <signal.h>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>
#include "news_skel.h"

class FeedServant : public POA_News::Feed {
  void subscribe(News::Listener_ptr who) override {
    const std::lock_guard lock(mutex_);
    listeners_.push_back(News::Listener::_duplicate(who));
  }
  void unsubscribe(News::Listener_ptr who) override {
    const std::lock_guard lock(mutex_);
    std::erase_if(listeners_, [&](const News::Listener_var& each) { return each->_is_equivalent(who); });
  }
  // Calls without holding the mutex: a listener may call the feed meanwhile.
  void publish(const char* headline) override {
    for (const News::Listener_var& each : listeners()) {
      try {
        each->heard(headline);
      } catch (const CORBA::SystemException& e) {
        std::cout << "forgetting a listener: " << e._name() << std::endl;
        unsubscribe(each);
      }
    }
  }
  std::vector<News::Listener_var> listeners() {
    const std::lock_guard lock(mutex_);
    return listeners_;
  }

  std::mutex mutex_;
  std::vector<News::Listener_var> listeners_;
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

    PortableServer::ServantBase_var servant = new FeedServant;
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
    std::cerr << "callback_server: " << e.what() << '\n';
    return 1;
  }
}
