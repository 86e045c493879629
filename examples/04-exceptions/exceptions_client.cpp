// SPDX-License-Identifier: Apache-2.0
// Takes things from a Shelf, and shows what comes when that fails.
//
//     exceptions_client IOR:...
#include <callis/corba.h>
#include <iostream>
#include "stock.h"

// Most precise first: user exceptions by their types, then system exceptions by their base class.
void take(Stock::Shelf_ptr shelf, const char* item, CORBA::ULong count) {
  std::cout << count << " of " << item << ": ";
  try {
    const CORBA::ULong left = shelf->take(item, count);
    std::cout << "taken, " << left << " left\n";
  } catch (const Stock::TooFew& e) {
    std::cout << "TooFew, " << e.wanted << " wanted and " << e.there << " there\n";
  } catch (const Stock::UnknownItem& e) {
    std::cout << "UnknownItem, " << e.item.in() << '\n';
  } catch (const CORBA::SystemException& e) {
    const char* executed = e.completed() == CORBA::COMPLETED_NO ? "not executed" : "perhaps executed";
    std::cout << e._name() << ", minor code " << e.minor() << ", " << executed << '\n';
  }
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: exceptions_client IOR:...\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Stock::Shelf_var shelf = Stock::Shelf::_narrow(object);
    if (CORBA::is_nil(shelf)) {
      std::cerr << "exceptions_client: that object is no Stock::Shelf\n";
      return 1;
    }
    take(shelf, "tea", 5);
    take(shelf, "bread", 5);
    take(shelf, "coal", 1);
    take(shelf, "tea", 0);
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "exceptions_client: " << e.what() << '\n';
    return 1;
  }
}
