// SPDX-License-Identifier: Apache-2.0
// Puts values of three types into a Store, gets them back and asks what they are.
//
//     any_client IOR:...
#include <callis/corba.h>
#include <iostream>
#include "settings.h"

void show(Settings::Store_ptr store, const char* name) {
  CORBA::Any_var value = store->get(name);
  // What >>= finds stays the any's, but for numbers.
  CORBA::Long number = 0;
  const char* text = nullptr;
  const Settings::Colour* colour = nullptr;
  std::cout << name << ": ";
  if (value.in() >>= number) {
    std::cout << number << '\n';
  } else if (value.in() >>= text) {
    std::cout << text << '\n';
  } else if (value.in() >>= colour) {
    std::cout << "red " << int{colour->red} << ", green " << int{colour->green} << ", blue " << int{colour->blue}
              << '\n';
  } else {
    std::cout << "of a type that this program does not know\n";
  }
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: any_client IOR:...\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Settings::Store_var store = Settings::Store::_narrow(object);
    if (CORBA::is_nil(store)) {
      std::cerr << "any_client: that object is no Settings::Store\n";
      return 1;
    }
    CORBA::Any value;
    value <<= CORBA::Long{11};
    store->put("volume", value);
    value <<= "callis";
    store->put("title", value);
    Settings::Colour sky;
    sky.red = 120;
    sky.green = 180;
    sky.blue = 255;
    value <<= sky;
    store->put("background", value);

    show(store, "volume");
    show(store, "title");
    show(store, "background");
    try {
      show(store, "foreground");
    } catch (const Settings::NotSet&) {
      std::cout << "foreground is not set\n";
    }
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "any_client: " << e.what() << '\n';
    return 1;
  }
}
