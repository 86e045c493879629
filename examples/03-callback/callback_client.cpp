// SPDX-License-Identifier: Apache-2.0
// Gives a Feed two listeners, servants in this program, and publishes headlines, which come back to them.
//
//     callback_client IOR:... [-ORBEndpoint tcp:HOST:PORT]
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <iostream>
#include "news_skel.h"

class Reader : public POA_News::Listener {
 public:
  explicit Reader(const char* name) : name_(name) {}

 private:
  // On a thread of the ORB, while the main thread waits for the reply of publish().
  void heard(const char* headline) override { std::cout << name_ << " has read: " << headline << std::endl; }
  const char* name_;
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: callback_client IOR:...\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    News::Feed_var feed = News::Feed::_narrow(object);
    if (CORBA::is_nil(feed)) {
      std::cerr << "callback_client: that object is no News::Feed\n";
      return 1;
    }
    object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();

    PortableServer::ServantBase_var ada = new Reader("Ada"), bob = new Reader("Bob");
    PortableServer::ObjectId_var ada_id = poa->activate_object(ada), bob_id = poa->activate_object(bob);
    object = poa->id_to_reference(ada_id);
    News::Listener_var ada_listens = News::Listener::_narrow(object);
    object = poa->id_to_reference(bob_id);
    News::Listener_var bob_listens = News::Listener::_narrow(object);

    feed->subscribe(ada_listens);
    feed->subscribe(bob_listens);
    feed->publish("Rain tomorrow");
    feed->unsubscribe(ada_listens);
    poa->deactivate_object(bob_id);  // without a word to the feed, which finds out
    feed->publish("Sun tomorrow");
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "callback_client: " << e.what() << '\n';
    return 1;
  }
}
