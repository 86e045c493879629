// SPDX-License-Identifier: Apache-2.0
// A client of the bank.
//
//     bank_client open|balance|close OWNER
//     bank_client deposit|withdraw OWNER AMOUNT
//     bank_client watch OWNER LIMIT       waits until the balance falls below the limit
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <cstdlib>
#include <future>
#include <iostream>
#include <string>
#include "bank_skel.h"
#include "names.h"

class WatcherServant : public POA_Bank::Watcher {
 public:
  void wait() { told_.get_future().wait(); }

 private:
  // On a thread of the ORB, while main() waits.
  void low(const char* owner, CORBA::Long balance) override {
    std::cout << owner << " has only " << balance << " left" << std::endl;
    told_.set_value();
  }
  std::promise<void> told_;
};

void watch(CORBA::ORB_ptr orb, Bank::Account_ptr account, CORBA::Long limit) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();

  PortableServer::Servant_var<WatcherServant> servant = new WatcherServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  object = poa->id_to_reference(id);
  Bank::Watcher_var watcher = Bank::Watcher::_narrow(object);
  account->watch(watcher, limit);
  std::cout << "watching" << std::endl;
  servant->wait();
  orb->shutdown(true);  // ends when the bank has its answer
}

void serve(CORBA::ORB_ptr orb, const std::string& command, const char* owner, CORBA::Long amount) {
  CosNaming::NamingContext_var names = naming_service(orb);
  CORBA::Object_var object = names->resolve(office_name());
  Bank::Office_var office = Bank::Office::_narrow(object);

  Bank::Account_var account = command == "open" ? office->open(owner) : office->find(owner);
  if (command == "watch") return watch(orb, account, amount);
  if (command == "close") {
    account->close();
    std::cout << "the account of " << owner << " is closed\n";
    return;
  }
  if (command == "deposit") {
    account->deposit(amount);
  } else if (command == "withdraw") {
    account->withdraw(amount);
  }
  std::cout << CORBA::String_var(account->owner()).in() << " has " << account->balance() << '\n';
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);  // takes the -ORB options out of argv
    if (argc < 3) {
      std::cerr << "usage: bank_client COMMAND OWNER [AMOUNT]\n";
      return 2;
    }
    serve(orb, argv[1], argv[2], argc > 3 ? std::atoi(argv[3]) : 0);
    orb->destroy();
    return 0;
  } catch (const Bank::Overdrawn& e) {
    std::cout << "refused: " << e.wanted << " wanted, " << e.balance << " there\n";
  } catch (const Bank::NotEmpty& e) {
    std::cout << "refused: there are still " << e.balance << '\n';
  } catch (const Bank::NoAccount& e) {
    std::cout << "refused: " << e.owner.in() << " has no account\n";
  } catch (const CosNaming::NamingContext::NotFound&) {
    std::cout << "the bank is not open\n";
  } catch (const CORBA::Exception& e) {  // all others; what() says what happened
    std::cout << "bank_client: " << e.what() << '\n';
  }
  return 1;
}
