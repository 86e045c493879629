// SPDX-License-Identifier: Apache-2.0
// Pays into an account by several threads while it moves between two cities, and looks whether each payment counts.
//
//     account_client ACCOUNT                    looks
//     account_client ACCOUNT FINDER FINDER      pays and moves
#include <callis/corba.h>
#include <atomic>
#include <iostream>
#include <string>
#include <thread>
#include <vector>
#include "account.h"

constexpr CORBA::ULong kClients = 4, kPayments = 500, kMoves = 20;

Account_var account(CORBA::ORB_ptr orb, const char* text) {
  CORBA::Object_var object = orb->string_to_object(text);
  return Account::_unchecked_narrow(object);
}

// Counts what it has paid; a payment that fails ends it.
void pay(CORBA::ORB_ptr orb, const char* text, CORBA::ULong client, std::atomic<CORBA::ULong>& paid) {
  try {
    Account_var a = account(orb, text);
    for (CORBA::ULong n = 1; n <= kPayments; ++n, ++paid) a->pay(client, n, 1);
  } catch (const CORBA::Exception& e) {
    std::cerr << "client " << client << ": " << e.what() << '\n';
    paid += kClients * kPayments;
  }
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 2 && argc != 4) {
      std::cerr << "usage: account_client ACCOUNT [FINDER FINDER]\n";
      return 2;
    }
    Account_var a = account(orb, argv[1]);
    if (argc == 4) {
      std::atomic<CORBA::ULong> paid{0};
      std::vector<std::jthread> clients;
      for (CORBA::ULong c = 0; c < kClients; ++c)
        clients.emplace_back([&, c] { pay(orb, argv[1], c, paid); });
      for (CORBA::ULong m = 0; m < kMoves; ++m) {
        while (paid < m * (kClients * kPayments / (kMoves + 1))) std::this_thread::yield();
        CORBA::Object_var object = orb->string_to_object(argv[2 + m % 2]);
        CosLifeCycle::FactoryFinder_var there = CosLifeCycle::FactoryFinder::_narrow(object);
        a->move(there, CosLifeCycle::Criteria());
      }
      clients.clear();
    }
    Statement_var now = a->look();
    bool once = now->strange == 0 && now->payments == kClients * kPayments;
    for (CORBA::ULong c = 0; c < kClients; ++c) once = once && now->last[c] == kPayments;
    std::cout << now->city.in() << ": " << now->payments << " payments, balance " << now->balance << ", moved "
              << now->moves << " times; each counted once: " << (once ? "yes" : "no") << std::endl;
    orb->destroy();
  } catch (const CosLifeCycle::NotMovable& e) {
    std::cerr << "account_client: it is not moved: " << e.reason.in() << '\n';
    return 1;
  } catch (const CORBA::Exception& e) {
    std::cerr << "account_client: " << e.what() << '\n';
    return 1;
  }
}
