// SPDX-License-Identifier: Apache-2.0
// Prints on the cheapest printer that fulfils a constraint.
//
//     trader_client TEXT CONSTRAINT -ORBInitRef TradingService=corbaloc::HOST:2810/TradingService
#include <callis/corba.h>
#include <iostream>
#include "CosTrading.h"
#include "printer.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 3) {
      std::cerr << "usage: trader_client TEXT CONSTRAINT -ORBInitRef TradingService=REF\n";
      return 2;
    }
    CORBA::Object_var object = orb->resolve_initial_references("TradingService");
    CosTrading::Lookup_var lookup = CosTrading::Lookup::_narrow(object);
    CosTrading::Lookup::SpecifiedProps none;
    none._d(CosTrading::Lookup::none);
    CosTrading::OfferSeq_var offers;
    CosTrading::OfferIterator_var more;
    CosTrading::PolicyNameSeq_var limits;
    lookup->query("Printer", argv[2], "min Cost", CosTrading::PolicySeq(), none, 1, offers.out(), more.out(),
                  limits.out());
    if (!CORBA::is_nil(more)) more->destroy();  // the other printers
    if (offers->length() == 0) {
      std::cout << "there is no such printer" << std::endl;
    } else {
      Office::Printer_var printer = Office::Printer::_narrow(offers[0].reference);
      CORBA::String_var answer = printer->print(argv[1]);
      std::cout << answer.in() << std::endl;
    }
    orb->destroy();
  } catch (const CosTrading::IllegalConstraint& e) {
    std::cout << "IllegalConstraint: " << e.constr.in() << std::endl;
  } catch (const CORBA::Exception& e) {
    std::cerr << "trader_client: " << e.what() << '\n';
    return 1;
  }
}
