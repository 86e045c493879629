// SPDX-License-Identifier: Apache-2.0
// Takes a cart from a Shop, uses it and ends it. A call after that is OBJECT_NOT_EXIST.
//
//     factory_client IOR:...
#include <callis/corba.h>
#include <iostream>
#include "market.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: factory_client IOR:...\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Market::Shop_var shop = Market::Shop::_narrow(object);
    if (CORBA::is_nil(shop)) {
      std::cerr << "factory_client: that object is no Market::Shop\n";
      return 1;
    }
    Market::Cart_var cart = shop->take_cart();
    cart->add("tea");
    cart->add("bread");
    Market::Items_var content = cart->content();
    for (CORBA::ULong i = 0; i < content->length(); ++i) std::cout << "in the cart: " << content[i].in() << '\n';
    std::cout << "carts in use: " << shop->carts_in_use() << '\n';
    cart->destroy();
    std::cout << "carts in use: " << shop->carts_in_use() << '\n';
    try {
      cart->add("salt");
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      std::cout << "the cart does not exist any more\n";
    }
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "factory_client: " << e.what() << '\n';
    return 1;
  }
}
