// SPDX-License-Identifier: Apache-2.0
// A home of mobile objects with a store and a secret, as a user of the installed callis writes it; it shows that it
// knows the secret. Its store is in the folder in which it is started. Prints OK.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/services/lifecycle.h>
#include <iostream>

namespace life_cycle = callis::life_cycle;

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    const auto store = callis::services::open_store("home.db", life_cycle::store_kind());
    callis::services::Counters counters;
    life_cycle::Home::Options options;
    options.store = store.get();
    options.secret = "only homes know that";
    bool good = false;
    {
      life_cycle::Home home(orb, root, "homes", counters, options);
      home.restore();
      PortableServer::POAManager_var(root->the_POAManager())->activate();
      const life_cycle::Trust trust(options.secret);
      CORBA::String_var shown;
      CORBA::String_var text = home.reference()->greet("challenge", shown.out());
      good = trust.holds(shown.in(), {"greet", "challenge", text.in()}) &&
             !trust.holds(shown.in(), {"greet", "another", text.in()});
    }
    orb->destroy();
    std::cout << (good ? "OK" : "the home does not know its secret") << std::endl;
    return good ? 0 : 1;
  } catch (const std::exception& e) {
    std::cerr << "home: " << e.what() << '\n';
    return 1;
  }
}
