// SPDX-License-Identifier: Apache-2.0
// Bids for what an auction house offers, and does not know whether the house is behind a bridge.
//
//     bridge_client IOR:... IOR:... [-ORBEndpoint tcp:HOST:PORT]
//
// The first reference is the house's, perhaps of a bridge; the second leads to the house itself.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <iostream>
#include "auction_skel.h"

class BidderServant : public POA_Auction::Bidder {
 public:
  explicit BidderServant(const char* name) : name_(name) {}

 private:
  void outbid(CORBA::Long price) override { std::cout << name_ << " has been outbid: " << price << std::endl; }
  const char* name_;
};

static Auction::Offers* offers(CORBA::ORB_ptr orb, const char* reference) {
  CORBA::Object_var object = orb->string_to_object(reference);
  Auction::House_var house = Auction::House::_narrow(object);
  if (CORBA::is_nil(house)) throw CORBA::INV_OBJREF();
  return house->on_sale();
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 3) {
      std::cerr << "usage: bridge_client IOR:... IOR:...\n";
      return 2;
    }
    Auction::Offers_var through = offers(orb, argv[1]), direct = offers(orb, argv[2]);
    Auction::Item_var item = Auction::Item::_duplicate(through[0u].what);
    CORBA::String_var title = item->title();
    bool bridged = !item->_is_equivalent(direct[0u].what);
    std::cout << title.in() << " is sold " << (bridged ? "through the bridge" : "by the house itself") << std::endl;

    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    PortableServer::ServantBase_var ada = new BidderServant("Ada"), bob = new BidderServant("Bob");
    PortableServer::ObjectId_var id = poa->activate_object(ada);
    object = poa->id_to_reference(id);
    Auction::Bidder_var ada_bids = Auction::Bidder::_narrow(object);
    id = poa->activate_object(bob);
    object = poa->id_to_reference(id);
    Auction::Bidder_var bob_bids = Auction::Bidder::_narrow(object);

    try {
      item->bid(5, bob_bids);
    } catch (const Auction::TooLow& e) {
      std::cout << "5 is too low: " << e.highest << " is offered" << std::endl;
    }
    std::cout << "Ada bids 20" << std::endl;
    item->bid(20, ada_bids);
    std::cout << "Bob bids 30" << std::endl;
    item->bid(30, bob_bids);
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "bridge_client: " << e.what() << '\n';
    return 1;
  }
}
