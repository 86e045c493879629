// SPDX-License-Identifier: Apache-2.0
// Serves a bank: an office that opens accounts. The office stands in the naming service as long as the server runs.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <signal.h>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include "bank_skel.h"
#include "names.h"

// The accounts that are open, by owner. Requests come on several threads, so it has a mutex.
class Ledger {
 public:
  // False when the owner has an account already.
  bool add(const std::string& owner, Bank::Account_ptr account) {
    const std::lock_guard lock(mutex_);
    return accounts_.try_emplace(owner, Bank::Account::_duplicate(account)).second;
  }
  // Nil when the owner has no account. The caller owns the result.
  Bank::Account_ptr find(const std::string& owner) {
    const std::lock_guard lock(mutex_);
    const auto found = accounts_.find(owner);
    return found == accounts_.end() ? Bank::Account::_nil() : Bank::Account::_duplicate(found->second);
  }
  void remove(const std::string& owner) {
    const std::lock_guard lock(mutex_);
    accounts_.erase(owner);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Bank::Account_var> accounts_;
};

class AccountServant : public POA_Bank::Account {
 public:
  AccountServant(PortableServer::POA_ptr poa, Ledger& ledger, const char* owner)
      : poa_(PortableServer::POA::_duplicate(poa)), ledger_(ledger), owner_(owner) {}

 private:
  char* owner() override { return CORBA::string_dup(owner_.c_str()); }

  CORBA::Long balance() override {
    const std::lock_guard lock(mutex_);
    return balance_;
  }

  void deposit(CORBA::Long amount) override {
    if (amount <= 0) throw Bank::BadAmount(amount);
    const std::lock_guard lock(mutex_);
    balance_ += amount;
  }

  void withdraw(CORBA::Long amount) override {
    if (amount <= 0) throw Bank::BadAmount(amount);
    Bank::Watcher_var who;
    CORBA::Long left = 0;
    {
      const std::lock_guard lock(mutex_);
      if (amount > balance_) throw Bank::Overdrawn(balance_, amount);
      left = balance_ -= amount;
      if (left < limit_) who = watcher_._retn();
    }
    if (!CORBA::is_nil(who)) tell(who, left);  // without the mutex: the watcher may call the account
  }

  void watch(Bank::Watcher_ptr who, CORBA::Long limit) override {
    const std::lock_guard lock(mutex_);
    watcher_ = Bank::Watcher::_duplicate(who);
    limit_ = limit;
  }

  // From now on calls of this account are OBJECT_NOT_EXIST. The adapter frees the servant after the last call.
  void close() override {
    {
      const std::lock_guard lock(mutex_);
      if (balance_ != 0) throw Bank::NotEmpty(balance_);
    }
    ledger_.remove(owner_);
    PortableServer::ObjectId_var id = poa_->servant_to_id(this);
    poa_->deactivate_object(id);
  }

  // A watcher that is gone does not spoil the withdrawal.
  void tell(Bank::Watcher_ptr who, CORBA::Long left) {
    try {
      who->low(owner_.c_str(), left);
    } catch (const CORBA::SystemException& e) {
      std::cerr << "bank_server: a watcher did not answer: " << e.what() << std::endl;
    }
  }

  PortableServer::POA_var poa_;
  Ledger& ledger_;
  const std::string owner_;
  std::mutex mutex_;  // for all that follows
  CORBA::Long balance_ = 0;
  CORBA::Long limit_ = 0;
  Bank::Watcher_var watcher_;
};

class OfficeServant : public POA_Bank::Office {
 public:
  OfficeServant(PortableServer::POA_ptr poa, Ledger& ledger)
      : poa_(PortableServer::POA::_duplicate(poa)), ledger_(ledger) {}

 private:
  Bank::Account_ptr open(const char* owner) override {
    PortableServer::ServantBase_var servant = new AccountServant(poa_, ledger_, owner);
    PortableServer::ObjectId_var id = poa_->activate_object(servant);  // now the adapter holds it, too
    CORBA::Object_var object = poa_->id_to_reference(id);
    Bank::Account_var account = Bank::Account::_narrow(object);
    if (!ledger_.add(owner, account)) {
      poa_->deactivate_object(id);
      throw Bank::AlreadyOpen(owner);
    }
    return account._retn();
  }

  Bank::Account_ptr find(const char* owner) override {
    Bank::Account_var account = ledger_.find(owner);
    if (CORBA::is_nil(account)) throw Bank::NoAccount(owner);
    return account._retn();
  }

  PortableServer::POA_var poa_;
  Ledger& ledger_;
};

int main(int argc, char** argv) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // for this thread and those that it starts
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);

    Ledger ledger;
    PortableServer::ServantBase_var servant = new OfficeServant(poa, ledger);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();  // requests are served from here on, by threads of the ORB

    CosNaming::NamingContext_var names = naming_service(orb);
    names->rebind(office_name(), object);
    std::cout << "the bank is open" << std::endl;

    int number = 0;
    sigwait(&ends, &number);
    names->unbind(office_name());  // nobody finds the office any more
    orb->shutdown(true);           // ends when the last call has been answered
    orb->destroy();
    std::cout << "the bank is closed" << std::endl;
  } catch (const CORBA::Exception& e) {
    std::cerr << "bank_server: " << e.what() << '\n';
    return 1;
  }
}
