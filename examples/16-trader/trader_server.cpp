// SPDX-License-Identifier: Apache-2.0
// Serves a printer, and offers it in a trader as long as it runs.
//
//     trader_server NAME COST INK[,INK...] -ORBInitRef TradingService=corbaloc::HOST:2810/TradingService
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <signal.h>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include "CosTrading.h"
#include "printer_skel.h"

class PrinterServant : public POA_Office::Printer {
 public:
  explicit PrinterServant(std::string name) : name_(std::move(name)) {}

 private:
  char* print(const char* text) override {
    const std::string answer = name_ + " prints: " + text;
    return CORBA::string_dup(answer.c_str());
  }
  const std::string name_;
};

// The properties of the offer; service type Printer declares them.
CosTrading::PropertySeq properties(const char* name, const char* cost, const char* inks) {
  CORBA::StringSeq list;
  std::istringstream words(inks);
  for (std::string word; std::getline(words, word, ',');) {
    list.length(list.length() + 1);
    list[list.length() - 1] = word.c_str();
  }
  CosTrading::PropertySeq out;
  out.length(3);
  out[0].name = "Name";
  out[0].value <<= name;
  out[1].name = "Cost";
  out[1].value <<= CORBA::Long(std::atoi(cost));
  out[2].name = "Inks";
  out[2].value <<= list;
  return out;
}

int main(int argc, char** argv) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // for this thread and those that it starts
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 4) {
      std::cerr << "usage: trader_server NAME COST INK[,INK...] -ORBInitRef TradingService=REF\n";
      return 2;
    }
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::ServantBase_var servant = new PrinterServant(argv[1]);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var printer = poa->id_to_reference(id);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();

    object = orb->resolve_initial_references("TradingService");
    CosTrading::Lookup_var lookup = CosTrading::Lookup::_narrow(object);
    CosTrading::Register_var offers = lookup->register_if();
    CORBA::String_var offer = offers->_cxx_export(printer, "Printer", properties(argv[1], argv[2], argv[3]));
    std::cout << "ready" << std::endl;

    std::jthread ender([&] {
      int number = 0;
      sigwait(&ends, &number);
      try {
        offers->withdraw(offer);
      } catch (const CORBA::Exception& e) {
        std::cerr << "trader_server: " << e.what() << '\n';
      }
      orb->shutdown(false);
    });
    orb->run();
    ender.join();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "trader_server: " << e.what() << '\n';
    return 1;
  }
}
