// SPDX-License-Identifier: Apache-2.0
// Prints what stands in a note, and writes something else if told so.
//
//     locator_client IOR:... [text]
#include <callis/corba.h>
#include <iostream>
#include "note.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: locator_client IOR:... [text]\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Note_var note = Note::_narrow(object);
    if (CORBA::is_nil(note)) {
      std::cerr << "locator_client: that object is no Note\n";
      return 1;
    }
    CORBA::String_var text = note->text();
    std::cout << "the note says: " << text.in() << '\n';
    if (argc > 2) {
      note->text(argv[2]);
      std::cout << "now it says: " << argv[2] << '\n';
    }
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "locator_client: " << e.what() << '\n';
    return 1;
  }
}
