// SPDX-License-Identifier: Apache-2.0
// whereabouts_client [-ORB options]. Does what the lines of its input say, and answers each by a line; ends when they do.
//
//   refer NAME IOR         from now on NAME is that object            ok
//   patience NAME MS       calls to it may take so long               ok
//   who NAME, rest NAME    the operation                              said TEXT
//   gone NAME              _non_existent()                            said true, said false
//   locate NAME            asks where it is                           ok
//
// and instead of all of these: raised EXCEPTION MINOR COMPLETED
#include "mapping.h"

namespace {

using Whereabouts::Thing, Whereabouts::Thing_var;

class Client {
 public:
  explicit Client(CORBA::ORB_ptr orb) : orb_(orb) {}

  std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string verb, name, more;
    words >> verb >> name >> more;
    try {
      return act(verb, things_[name], more);
    } catch (const CORBA::SystemException& e) {
      static const char* const completed[] = {"YES", "NO", "MAYBE"};
      std::ostringstream out;
      out << "raised " << e._name() << " 0x" << std::hex << e.minor() << ' ' << completed[e.completed()];
      return out.str();
    } catch (const CORBA::Exception& e) {
      return std::string("raised ") + e._name();
    }
  }

 private:
  std::string act(const std::string& verb, Thing_var& thing, const std::string& more) {
    if (verb == "refer") {
      const CORBA::Object_var object = orb_->string_to_object(more.c_str());
      thing = Thing::_unchecked_narrow(object.in());
      return "ok";
    }
    if (verb == "patience") {
      thing = interop::patient(orb_, thing.in(), static_cast<CORBA::ULong>(std::stoul(more)));
      return "ok";
    }
    if (verb == "locate") {
      interop::locate(thing.in());
      return "ok";
    }
    if (verb == "gone") return thing->_non_existent() ? "said true" : "said false";
    if (verb != "who" && verb != "rest") return "what is " + verb + "?";
    const CORBA::String_var said = verb == "who" ? thing->who() : thing->rest();
    return std::string("said ") + said.in();
  }

  CORBA::ORB_ptr orb_;
  std::map<std::string, Thing_var> things_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    {
      Client client(orb.in());
      for (std::string line; std::getline(std::cin, line);) interop::print(client.answer(line));
    }
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    interop::print(std::string("client: ") + e._name());
  }
  return 1;
}
