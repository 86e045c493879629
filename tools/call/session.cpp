// SPDX-License-Identifier: Apache-2.0
// IDL, an ORB, the object, its interface; and what a system exception means to somebody at a shell.
#include <callis/ior/ior.h>
#include <callis/ior/text.h>
#include <services/ifr/reading.h>
#include <tools/call/session.h>
#include <tools/ior/input.h>
#include <tools/ior/report.h>
#include <cstdio>

namespace callis::tools {

namespace ast = idl::ast;

namespace {

CORBA::ORB_ptr make_orb(const Arguments& arguments) {
  std::vector<std::string> words{"callis", "-ORBIdleWatch", "none"};
  if (arguments.timeout_ms != 0) {
    for (const char* option : {"-ORBCallTimeout", "-ORBConnectTimeout"}) {
      words.push_back(option);
      words.push_back(std::to_string(arguments.timeout_ms));
    }
  }
  words.insert(words.end(), arguments.orb.begin(), arguments.orb.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv.data());
    if (argc > 1) throw Failure{kWrongUsage, std::string("what is '") + escaped(argv[1]) + "'?"};
    return orb._retn();
  } catch (const CORBA::SystemException& e) {
    throw Failure{kWrongUsage, e.what()};
  }
}

std::string type_id(CORBA::ORB_ptr orb, CORBA::Object_ptr object) {
  const CORBA::String_var text = orb->object_to_string(object);
  const ior::ParsedReference parsed = ior::parse_reference(text.in());
  const auto* known = std::get_if<ior::Ior>(&parsed);
  return known ? known->type_id : std::string();
}

std::string list(const std::vector<const ast::Interface*>& all) {
  std::string out;
  for (const ast::Interface* i : all) out += "\n  " + ast::scoped_name(*i);
  return out.empty() ? " none" : out;
}

}  // namespace

Session::Session(const Arguments& arguments) : arguments_(arguments) {
  types.find_values_here();
  for (const std::string& file : arguments.idl) {
    std::string diagnostics;
    const bool good = types.load(file, arguments.preprocess, diagnostics);
    if (!good) {
      if (!diagnostics.empty() && diagnostics.back() == '\n') diagnostics.pop_back();
      throw Failure{kCannotRead, diagnostics};
    }
  }
  std::string text, problem;
  if (!read_reference(arguments.reference, text, problem)) throw Failure{kCannotRead, problem};
  const ior::ParsedReference parsed = ior::parse_reference(text);
  if (const auto* error = std::get_if<ior::TextError>(&parsed)) {
    std::string what = error_text(text, *error);
    if (!what.empty() && what.back() == '\n') what.pop_back();
    throw Failure{kCannotRead, what};
  }
  orb = make_orb(arguments);
  try {
    object = orb->string_to_object(text.c_str());
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kCannotRead, e.what()};
  }
  if (CORBA::is_nil(object.in())) throw Failure{kCannotRead, "the reference is nil: there is no object to call"};
}

Session::~Session() {
  try {
    object = CORBA::Object::_nil();
    if (orb.in()) orb->destroy();
  } catch (const CORBA::Exception&) {  // the process ends anyway
  }
}

std::string Session::read_from_repository() {
  // The object itself is asked last.
  CORBA::Object_var at;
  CORBA::InterfaceDef_var definition;
  const std::string id = arguments_.interface.empty() ? type_id(orb.in(), object.in()) : arguments_.interface;
  if (!arguments_.ifr.empty()) {
    std::string text, problem;
    if (!read_reference(arguments_.ifr, text, problem)) throw Failure{kCannotRead, "--ifr: " + problem};
    try {
      at = orb->string_to_object(text.c_str());
    } catch (const CORBA::BAD_PARAM& e) {
      throw Failure{kCannotRead, std::string("--ifr: ") + e.what()};
    }
  } else {
    try {
      at = orb->resolve_initial_references("InterfaceRepository");
    } catch (const CORBA::ORB::InvalidName&) {}
  }
  CORBA::Repository_var repository = CORBA::Repository::_narrow(at.in());
  if (!repository.in() && at.in()) throw Failure{kCannotRead, "the Interface Repository is none"};
  if (!repository.in() || id.empty()) {
    try {
      definition = object->_get_interface();
      if (definition.in() && !repository.in()) repository = definition->containing_repository();
    } catch (const CORBA::SystemException& e) {
      const std::string name = e._name();
      if (name != "INTF_REPOS" && name != "NO_IMPLEMENT" && name != "BAD_OPERATION") throw;
    }
  }
  if (!repository.in())
    throw Failure{
        kWrongUsage,
        "the types are not known: say --idl FILE, or --ifr REF (an Interface Repository); the object's server "
        "has none to ask"};
  try {
    ifr::Reading reading(repository.in());
    std::string found = id;
    if (id.empty() && definition.in()) found = CORBA::String_var(definition->id()).in();
    const CORBA::Contained_var there = found.empty() ? CORBA::Contained::_nil() : reading.find(found);
    if (!there.in())
      throw Failure{kWrongUsage, found.empty()
                                     ? "the reference says no type, and the object's server does not either: "
                                       "say --interface NAME"
                                     : "the Interface Repository has no interface '" + escaped(found) + "'"};
    const std::string interface_id = CORBA::String_var(there->id()).in();
    reading.add(interface_id);
    std::string diagnostics;
    if (!types.load_text("Interface Repository", reading.text(), diagnostics))
      throw Failure{kCannotRead, "what the Interface Repository has is no good IDL:\n" + diagnostics};
    return interface_id;
  } catch (const ifr::Unreadable& u) {
    throw Failure{kCannotRead, "the Interface Repository: " + escaped(u.why)};
  }
}

const ast::Interface& Session::interface() {
  if (arguments_.idl.empty()) {
    const std::string id = read_from_repository();
    if (const ast::Interface* i = types.find_interface(id)) return *i;
    throw Failure{kWrongUsage, "'" + escaped(id) + "' is no interface"};
  }
  if (!arguments_.interface.empty()) {
    if (const ast::Interface* i = types.find_interface(arguments_.interface)) return *i;
    const std::string near = types.nearest_interface(arguments_.interface);
    throw Failure{kWrongUsage,
                  "the IDL files have no interface '" + escaped(arguments_.interface) + "'" +
                      (near.empty() ? "; they have:" + list(types.interfaces()) : "; did you mean '" + near + "'?")};
  }
  const std::string id = type_id(orb.in(), object.in());
  if (!id.empty()) {
    if (const ast::Interface* i = types.find_interface(id)) return *i;
  }
  // Those derived from others come first, so the first that the object has says most.
  for (const ast::Interface* i : types.interfaces()) {
    if (object->_is_a(i->repository_id.c_str())) return *i;
  }
  throw Failure{kWrongUsage, (id.empty() ? "the reference says no type, and the object has none of the interfaces"
                                         : "the object is a " + escaped(id) + ", and has none of the interfaces") +
                                 std::string(" of the IDL files:") + list(types.interfaces())};
}

std::string explain(const CORBA::SystemException& e, const Arguments& arguments) {
  const std::string name = e._name();
  const std::string ping = "callis ior --ping says which addresses of the reference answer";
  std::string next;
  if (name == "TRANSIENT" || name == "COMM_FAILURE" || name == "NO_RESPONSE") {
    next = ping;
  } else if (name == "TIMEOUT") {
    next = "a longer --timeout" +
           (arguments.timeout_ms != 0 ? " than " + std::to_string(arguments.timeout_ms) + " ms" : std::string()) +
           "; " + ping;
  } else if (name == "OBJECT_NOT_EXIST" || name == "OBJ_ADAPTER" || name == "INV_OBJREF") {
    next = "a fresh reference: the server may have been started anew, or the object was removed";
  } else if (name == "BAD_OPERATION" || name == "NO_IMPLEMENT") {
    next = "whether the server was built from this IDL: it does not have the operation, or not yet";
  } else if (name == "MARSHAL" || name == "BAD_PARAM" || name == "UNKNOWN" || name == "BAD_TYPECODE") {
    next = "whether the server was built from this IDL: types and exceptions must be the same on both sides";
  } else if (name == "NO_PERMISSION") {
    next = "what the server wants to know of its callers";
  } else if (name == "DATA_CONVERSION" || name == "CODESET_INCOMPATIBLE") {
    next = "characters that the server's code set has; callis ior shows its code sets";
  } else {
    next = "the server's log";
  }
  return std::string(e.what()) + "\n  to try next: " + next;
}

}  // namespace callis::tools
