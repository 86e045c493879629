// SPDX-License-Identifier: Apache-2.0
// IDL, an ORB, the object, its interface; and what a system exception means to somebody at a shell.
#include <services/programs/usage.h>
#include <callis/ior/ior.h>
#include <callis/ior/text.h>
#include <callis/orb/base/minor_codes.h>
#include <services/ifr/reading.h>
#include <tools/call/session.h>
#include <services/programs/init_orb.h>
#include <services/programs/reference_text.h>
#include <tools/ior/report.h>
#include <chrono>
#include <cstdio>

namespace callis::tools {

namespace ast = idl::ast;

namespace {

// For all that an Interface Repository is asked: it may be one that an object's server names.
constexpr std::chrono::seconds kMostReading{60};

// Services' own minor code of NO_PERMISSION: their rules have the operation for others.
constexpr CORBA::ULong kRefusedByRules = orb::kVmcid | 0xa8;

std::string list(const std::vector<const ast::Interface*>& all) {
  std::string out;
  for (const ast::Interface* i : all) out += "\n  " + ast::scoped_name(*i);
  return out.empty() ? " none" : out;
}

}  // namespace

CORBA::ORB_var make_orb(const Arguments& arguments, bool serves) {
  std::vector<std::string> words;
  if (!serves) words.insert(words.end(), {"-ORBIdleWatch", "none"});
  if (arguments.timeout_ms != 0) {
    for (const char* option : {"-ORBCallTimeout", "-ORBConnectTimeout"}) {
      words.push_back(option);
      words.push_back(std::to_string(arguments.timeout_ms));
    }
  }
  words.insert(words.end(), arguments.orb.begin(), arguments.orb.end());
  try {
    return programs::init_orb(std::move(words));
  } catch (const CORBA::SystemException& e) {
    throw Failure{kWrongUsage, e.what()};
  }
}

void load_idl(Types& types, const Arguments& arguments) {
  types.find_values_here();
  for (const std::string& file : arguments.idl) {
    std::string diagnostics;
    if (types.load(file, arguments.preprocess, diagnostics)) continue;
    if (!diagnostics.empty() && diagnostics.back() == '\n') diagnostics.pop_back();
    throw Failure{kCannotRead, diagnostics};
  }
}

namespace {

// Throws Failure for what is none.
std::string reference_text(const std::string& reference) {
  std::string text, problem;
  if (!programs::read_reference(reference, text, problem)) throw Failure{kCannotRead, problem};
  const ior::ParsedReference parsed = ior::parse_reference(text);
  if (const auto* error = std::get_if<ior::TextError>(&parsed)) {
    std::string what = programs::error_text(text, *error);
    if (!what.empty() && what.back() == '\n') what.pop_back();
    throw Failure{kCannotRead, what};
  }
  return text;
}

CORBA::Object_var object_of(CORBA::ORB_ptr orb, const std::string& text) {
  try {
    CORBA::Object_var object = orb->string_to_object(text.c_str());
    if (CORBA::is_nil(object.in())) throw Failure{kCannotRead, "the reference is nil: there is no object to call"};
    return object;
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kCannotRead, e.what()};
  }
}

}  // namespace

CORBA::Object_var read_object(CORBA::ORB_ptr orb, const std::string& reference) {
  return object_of(orb, reference_text(reference));
}

Session::Session(const Arguments& arguments) : arguments_(arguments) {
  load_idl(types, arguments);
  const std::string text = reference_text(arguments.reference);
  orb = make_orb(arguments);
  object = object_of(orb.in(), text);
}

Session::~Session() {
  try {
    object = CORBA::Object::_nil();
    if (orb.in()) orb->destroy();
  } catch (const CORBA::Exception&) {  // the process ends anyway
  }
}

namespace {

// Somebody was asked for types, and raised it.
[[noreturn]] void no_types(const char* whom, const CORBA::SystemException& e) {
  throw Failure{kSystemException,
                "asking " + std::string(whom) + ": " + e.what() +
                    "\n  to try next: --idl FILE, for which nobody is asked; callis ior --ping says which addresses "
                    "of a reference answer"};
}

}  // namespace

std::string read_from_repository(Types& types, CORBA::ORB_ptr orb, CORBA::Object_ptr object,
                                 const Arguments& arguments, const std::string& interface) {
  // The object itself is asked last.
  CORBA::Object_var at;
  CORBA::InterfaceDef_var definition;
  const std::string id = interface.empty() ? object->_interface_repository_id() : interface;
  if (!arguments.ifr.empty()) {
    std::string text, problem;
    if (!programs::read_reference(arguments.ifr, text, problem)) throw Failure{kCannotRead, "--ifr: " + problem};
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
  CORBA::Repository_var repository;
  try {
    repository = CORBA::Repository::_narrow(at.in());
  } catch (const CORBA::SystemException& e) {
    no_types("the Interface Repository", e);
  }
  if (!repository.in() && at.in()) throw Failure{kCannotRead, "the Interface Repository is none"};
  if (!repository.in() || id.empty()) {
    try {
      definition = object->_get_interface();
      if (definition.in() && !repository.in()) repository = definition->containing_repository();
    } catch (const CORBA::SystemException& e) {
      const std::string name = e._name();
      if (name != "INTF_REPOS" && name != "NO_IMPLEMENT" && name != "BAD_OPERATION")
        no_types("the object for its interface", e);
    }
  }
  if (!repository.in())
    throw Failure{
        kWrongUsage,
        "the types are not known: say --idl FILE, or --ifr REF (an Interface Repository); the object's server "
        "has none to ask"};
  try {
    ifr::Reading reading(repository.in(), kMostReading);
    std::string found = id;
    if (id.empty() && definition.in()) found = CORBA::String_var(definition->id()).in();
    const CORBA::Contained_var there = found.empty() ? CORBA::Contained::_nil() : reading.find(found);
    if (!there.in())
      throw Failure{kWrongUsage, found.empty()
                                     ? "the reference says no type, and the object's server does not either: "
                                       "say --interface NAME"
                                     : "the Interface Repository has no interface '" +
                                           programs::escaped(found) + "'"};
    const std::string interface_id = CORBA::String_var(there->id()).in();
    reading.add(interface_id);
    std::string diagnostics;
    if (!types.load_text("Interface Repository", reading.text(), diagnostics))
      throw Failure{kCannotRead, "what the Interface Repository has is no good IDL:\n" + diagnostics};
    return interface_id;
  } catch (const ifr::Unreadable& u) {
    throw Failure{kCannotRead, "the Interface Repository: " + programs::escaped(u.why)};
  } catch (const CORBA::SystemException& e) {
    no_types("the Interface Repository", e);
  }
}

const ast::Interface& Session::interface() {
  if (!arguments_.idl.empty()) return find_interface(types, object.in(), arguments_.interface);
  const std::string id = read_from_repository(types, orb.in(), object.in(), arguments_, arguments_.interface);
  if (const ast::Interface* i = types.find_interface(id)) return *i;
  throw Failure{kWrongUsage, "'" + programs::escaped(id) + "' is no interface"};
}

const ast::Interface& find_interface(const Types& types, CORBA::Object_ptr object, const std::string& name) {
  if (!name.empty()) {
    if (const ast::Interface* i = types.find_interface(name)) return *i;
    const std::string near = types.nearest_interface(name);
    throw Failure{kWrongUsage,
                  "the IDL files have no interface '" + programs::escaped(name) + "'" +
                      (near.empty() ? "; they have:" + list(types.interfaces()) : "; did you mean '" + near + "'?")};
  }
  const std::string id = object->_interface_repository_id();
  if (!id.empty()) {
    if (const ast::Interface* i = types.find_interface(id)) return *i;
  }
  // Those derived from others come first, so the first that the object has says most.
  for (const ast::Interface* i : types.interfaces()) {
    if (object->_is_a(i->repository_id.c_str())) return *i;
  }
  const std::string what =
      id.empty() ? "the reference says no type, and the object"
                 : "the object is a " + programs::escaped(id) + ", and";
  throw Failure{kWrongUsage, what + " has none of the interfaces of the IDL files:" + list(types.interfaces())};
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
  } else if (e.minor() == orb::own(Fault::NotTrusted)) {
    next = "what the text says of the certificate; callis tls show FILE prints one, and callis ior --ping --tls DIR "
           "says how far the handshake comes";
  } else if (name == "NO_PERMISSION" && e.minor() == kRefusedByRules) {
    next = "another caller: --tls DIR/NAME calls by the certificate of that name; --allow of the service says who "
           "may";
  } else if (name == "IMP_LIMIT" && std::string_view(e.what()).find("over TLS alone") != std::string_view::npos) {
    next = "--tls DIR, the folder with this client's certificates (callis tls init)";
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
