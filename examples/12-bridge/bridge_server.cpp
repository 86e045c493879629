// SPDX-License-Identifier: Apache-2.0
// Serves an auction house with one item, and calls the bidder that has been outbid.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/signals.h>
#include <iostream>
#include <mutex>
#include "auction_skel.h"

class ItemServant : public POA_Auction::Item {
  char* title() override { return CORBA::string_dup("a vase"); }
  void bid(CORBA::Long price, Auction::Bidder_ptr who) override {
    Auction::Bidder_var before;
    {
      const std::lock_guard lock(mutex_);
      if (price <= highest_) throw Auction::TooLow(highest_);
      highest_ = price;
      before = bidder_;
      bidder_ = Auction::Bidder::_duplicate(who);
    }
    if (!CORBA::is_nil(before)) before->outbid(price);
  }
  std::mutex mutex_;
  CORBA::Long highest_ = 10;
  Auction::Bidder_var bidder_;
};

class HouseServant : public POA_Auction::House {
 public:
  explicit HouseServant(Auction::Item_ptr item) : item_(Auction::Item::_duplicate(item)) {}

 private:
  Auction::Offers* on_sale() override {
    Auction::Offers_var all = new Auction::Offers;
    all->length(1);
    all[0u].title = CORBA::string_dup("a vase");
    all[0u].what = Auction::Item::_duplicate(item_);
    return all._retn();
  }
  Auction::Item_var item_;
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    callis::shutdown_on_signals(orb);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);

    PortableServer::ServantBase_var item = new ItemServant;
    PortableServer::ObjectId_var id = poa->activate_object(item);
    object = poa->id_to_reference(id);
    Auction::Item_var vase = Auction::Item::_narrow(object);
    PortableServer::ServantBase_var house = new HouseServant(vase);
    id = poa->activate_object(house);
    object = poa->id_to_reference(id);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    CORBA::String_var reference = orb->object_to_string(object);
    std::cout << reference.in() << std::endl;
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "bridge_server: " << e.what() << '\n';
    return 1;
  }
}
