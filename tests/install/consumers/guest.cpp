// SPDX-License-Identifier: Apache-2.0
// What an ORB does within one thread: made, an object called without a connection, references as text, an any. Other
// libraries in the process do not change how much work that is (components.py). Prints OK.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <iostream>
#include "bank_skel.h"

class Account_servant : public POA_Bank::Account {
 public:
  CORBA::LongLong balance() override { return balance_; }
  void deposit(CORBA::LongLong amount) override { balance_ += amount; }
  void withdraw(CORBA::LongLong) override {}
  TimeBase::TimeT opened() override { return 0; }
  void opened(TimeBase::TimeT) override {}

 private:
  CORBA::LongLong balance_ = 0;
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::ServantBase_var servant = new Account_servant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    object = poa->id_to_reference(id);
    CORBA::String_var text = orb->object_to_string(object);
    object = orb->string_to_object(text);
    Bank::Account_var account = Bank::Account::_narrow(object);
    for (int i = 0; i < 100; ++i) account->deposit(1);
    CORBA::Any any;
    any <<= account->balance();
    CORBA::LongLong balance = 0;
    const bool good = (any >>= balance) && balance == 100;
    orb->destroy();
    std::cout << (good ? "OK" : "wrong answers") << std::endl;
    return good ? 0 : 1;
  } catch (const CORBA::Exception& e) {
    std::cerr << e << std::endl;
    return 1;
  }
}
