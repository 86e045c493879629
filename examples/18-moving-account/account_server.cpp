// SPDX-License-Identifier: Apache-2.0
// A home of accounts, in a city: accounts come and go while clients pay into them.
//
//     account_server CITY FOLDER [open] -ORBInitRef NameService=... -ORBEndpoint unix:FOLDER/CITY.socket
//
// Its accounts are in FOLDER/CITY.db, the secret that all homes know in FOLDER/secret. Writes the reference of a
// FactoryFinder of this city into FOLDER/CITY.finder, and with `open` that of a new account into FOLDER/account.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/services/lifecycle.h>
#include <callis/signals.h>
#include <fstream>
#include <iostream>
#include <mutex>
#include <string>
#include "account_skel.h"

namespace life_cycle = callis::life_cycle;

class AccountServant : public life_cycle::LifeCycleServant<POA_Account> {
 public:
  AccountServant(const std::string& city, const CORBA::Any& state) {
    const Statement* given = nullptr;
    if (state >>= given) statement_ = *given;
    else statement_.last.length(16);
    // An object that is made of its state has moved, or its server began again.
    if (given && city != given->city.in()) ++statement_.moves;
    statement_.city = city.c_str();
  }
  CORBA::Any write_state() override {
    const std::lock_guard lock(mutex_);
    return state();
  }
  void pay(CORBA::ULong client, CORBA::ULong number, CORBA::Long amount) override {
    const std::lock_guard lock(mutex_);
    if (client >= statement_.last.length()) throw CORBA::BAD_PARAM();
    if (statement_.last[client] + 1 != number) ++statement_.strange;
    statement_.last[client] = number;
    ++statement_.payments;
    statement_.balance += amount;
    save(state());  // on the disk before the client hears that it has paid
  }
  Statement* look() override {
    const std::lock_guard lock(mutex_);
    return new Statement(statement_);
  }

 private:
  CORBA::Any state() const {
    CORBA::Any out;
    out <<= statement_;
    return out;
  }
  std::mutex mutex_;
  Statement statement_{};
};

// In the naming service: a context of the city, with its home under the key of accounts.
CosNaming::NamingContext_var location(CORBA::ORB_ptr orb, const std::string& city, CORBA::Object_ptr home) {
  CORBA::Object_var object = orb->resolve_initial_references("NameService");
  CosNaming::NamingContext_var root = CosNaming::NamingContext::_narrow(object);
  CosNaming::Name name;
  name.length(1);
  name[0].id = city.c_str();
  CosNaming::NamingContext_var out = root->new_context();
  root->rebind_context(name, out);
  out->rebind(life_cycle::key_of("Account"), home);
  return out;
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 3) {
      std::cerr << "usage: account_server CITY FOLDER [open]\n";
      return 2;
    }
    const std::string city = argv[1], folder = argv[2];
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);

    const auto store = callis::services::open_store(folder + "/" + city + ".db", life_cycle::store_kind());
    callis::services::Counters counters;
    life_cycle::Home::Options options;
    options.store = store.get();
    options.secret = life_cycle::secret_from_file(folder + "/secret");
    life_cycle::Home home(orb, root, "accounts", counters, options);
    home.serves("Account",
                [&](const CORBA::Any& state) { return life_cycle::made(new AccountServant(city, state)); });
    home.restore();

    CosNaming::NamingContext_var here = location(orb, city, home.reference());
    PortableServer::ServantBase_var finder = new life_cycle::NamingFinder(here);
    PortableServer::ObjectId_var id = root->activate_object(finder);
    object = root->id_to_reference(id);
    CORBA::String_var text = orb->object_to_string(object);
    std::ofstream(folder + "/" + city + ".finder") << text.in() << '\n';
    if (argc > 3) {
      object = home.create("Account");
      text = orb->object_to_string(object);
      std::ofstream(folder + "/account") << text.in() << '\n';
    }
    callis::shutdown_on_signals(orb);
    PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
    std::cout << "ready" << std::endl;
    orb->run();
  } catch (const CORBA::Exception& e) {
    std::cerr << "account_server: " << e.what() << '\n';
    return 1;
  } catch (const std::exception& e) {
    std::cerr << "account_server: " << e.what() << '\n';
    return 1;
  }
}
