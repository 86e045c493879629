// SPDX-License-Identifier: Apache-2.0
// A server and its client in one process, over TCP: what a user of the installed callis writes first. Prints OK.
#include <callis/corba.h>
#include <callis/interceptors.h>
#include <callis/messaging.h>
#include <callis/portable_server.h>
#include <iostream>
#include "bank_skel.h"

class Account_servant : public POA_Bank::Account {
 public:
  CORBA::LongLong balance() override { return balance_; }
  void deposit(CORBA::LongLong amount) override { balance_ += amount; }
  void withdraw(CORBA::LongLong amount) override {
    if (amount > balance_) {
      throw Bank::Overdrawn(amount - balance_);
    }
    balance_ -= amount;
  }
  TimeBase::TimeT opened() override { return opened_; }
  void opened(TimeBase::TimeT time) override { opened_ = time; }

 private:
  CORBA::LongLong balance_ = 0;
  TimeBase::TimeT opened_ = 0;
};

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::ServantBase_var servant = new Account_servant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  object = poa->id_to_reference(id);
  CORBA::String_var text = orb->object_to_string(object);

  CORBA::ORB_var client = CORBA::ORB_init(argc, argv, "client");
  object = client->string_to_object(text);
  CORBA::Any limit;
  limit <<= TimeBase::TimeT(100'000'000);  // 10 s, in units of 100 ns
  CORBA::PolicyList policies(1);
  policies.length(1);
  policies[0] = client->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, limit);
  object = object->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
  Bank::Account_var account = Bank::Account::_narrow(object);
  account->opened(7);
  account->deposit(100);
  account->withdraw(30);
  CORBA::LongLong missing = 0;
  try {
    account->withdraw(80);
  } catch (const Bank::Overdrawn& e) {
    missing = e.missing;
  }
  object = client->resolve_initial_references("CodecFactory");
  const bool good = account->balance() == 70 && missing == 10 && account->opened() == 7 && !CORBA::is_nil(object);
  client->destroy();
  orb->destroy();
  std::cout << (good ? "OK" : "wrong answers") << std::endl;
  return good ? 0 : 1;
} catch (const CORBA::Exception& e) {
  std::cerr << e << std::endl;
  return 1;
}
