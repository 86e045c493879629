// SPDX-License-Identifier: Apache-2.0
// The trader, and the words for its exceptions.
#include <callis/base/text.h>
#include <services/programs/reference_text.h>
#include <services/programs/local_service.h>
#include <tools/trade/session.h>

namespace callis::trade {

namespace {

template<class Var>
Var there(Var object, const char* what) {
  if (CORBA::is_nil(object.in())) throw Failure{kCannot, concat({"the trader has no ", what})};
  return object;
}

// Lines of a text from a peer, each for a terminal.
std::string lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += (out.empty() ? "" : "\n  ") + shown(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string quoted(const char* text) { return "'" + shown(text) + "'"; }

// What the exception says besides its name; empty: nothing.
std::string details(const CORBA::UserException& e) {
  using namespace CosTrading;
  if (const auto* x = dynamic_cast<const IllegalConstraint*>(&e)) return lines(x->constr.in());
  if (const auto* x = dynamic_cast<const Lookup::IllegalPreference*>(&e)) return lines(x->pref.in());
  if (const auto* x = dynamic_cast<const UnknownServiceType*>(&e))
    return quoted(x->type.in()) + " (there is none of that name, or new offers of it are not taken)";
  if (const auto* x = dynamic_cast<const IllegalServiceType*>(&e)) return quoted(x->type.in());
  if (const auto* x = dynamic_cast<const IllegalPropertyName*>(&e)) return quoted(x->name.in());
  if (const auto* x = dynamic_cast<const DuplicatePropertyName*>(&e)) return quoted(x->name.in());
  if (const auto* x = dynamic_cast<const PropertyTypeMismatch*>(&e)) return quoted(x->prop.name.in());
  if (const auto* x = dynamic_cast<const MissingMandatoryProperty*>(&e)) return quoted(x->name.in());
  if (const auto* x = dynamic_cast<const UnknownOfferId*>(&e)) return quoted(x->id.in());
  if (const auto* x = dynamic_cast<const IllegalOfferId*>(&e)) return quoted(x->id.in());
  if (const auto* x = dynamic_cast<const Register::ProxyOfferId*>(&e)) return quoted(x->id.in());
  if (const auto* x = dynamic_cast<const Register::MandatoryProperty*>(&e)) return quoted(x->name.in());
  if (const auto* x = dynamic_cast<const Register::ReadonlyProperty*>(&e)) return quoted(x->name.in());
  if (const auto* x = dynamic_cast<const Register::UnknownPropertyName*>(&e)) return quoted(x->name.in());
  if (const auto* x = dynamic_cast<const Register::InterfaceTypeMismatch*>(&e))
    return "the object is not of the interface of " + quoted(x->type.in());
  if (const auto* x = dynamic_cast<const Lookup::InvalidPolicyValue*>(&e)) return quoted(x->the_policy.name.in());
  if (const auto* x = dynamic_cast<const Lookup::PolicyTypeMismatch*>(&e)) return quoted(x->the_policy.name.in());
  if (const auto* x = dynamic_cast<const Lookup::IllegalPolicyName*>(&e)) return quoted(x->name.in());
  if (const auto* x = dynamic_cast<const Repository::HasSubTypes*>(&e))
    return quoted(x->sub_type.in()) + " is derived from it";
  if (const auto* x = dynamic_cast<const Repository::ValueTypeRedefinition*>(&e))
    return quoted(x->definition_1.name.in()) + " of " + quoted(x->type_1.in()) + " is otherwise in " +
           quoted(x->type_2.in());
  return {};
}

}  // namespace

std::string shown(std::string_view text) { return concat({Printable(text)}); }

void explained(const std::string& what, const std::function<void()>& f) {
  try {
    f();
  } catch (const CORBA::UserException& e) {
    const std::string more = details(e);
    throw Failure{kUserException, shown(what) + ": " + e._name() + (more.empty() ? "" : ": " + more)};
  }
}

Session::Session(CORBA::ORB_ptr orb, const Arguments& arguments) : orb_(CORBA::ORB::_duplicate(orb)) {
  std::string what = arguments.value("--trader");
  CORBA::Object_var found;
  if (!what.empty()) {
    found = object(what);
  } else {
    try {
      found = orb->resolve_initial_references("TradingService");
      what = "the initial reference TradingService";
    } catch (const CORBA::ORB::InvalidName&) {
      const std::string at = programs::local_service("trading", 2810, "TradingService");
      what = at + " (--trader names another)";
      found = orb->string_to_object(at.c_str());
    }
  }
  lookup_ = CosTrading::Lookup::_narrow(found.in());
  if (CORBA::is_nil(lookup_.in())) throw Failure{kCannot, shown(what) + " is no trader's Lookup"};
}

CosTrading::Register_var Session::registering() const {
  return there(CosTrading::Register_var(lookup_->register_if()), "Register");
}
CosTrading::Link_var Session::link() const { return there(CosTrading::Link_var(lookup_->link_if()), "Link"); }
CosTrading::Proxy_var Session::proxy() const { return there(CosTrading::Proxy_var(lookup_->proxy_if()), "Proxy"); }
CosTrading::Admin_var Session::admin() const { return there(CosTrading::Admin_var(lookup_->admin_if()), "Admin"); }

CosTradingRepos::ServiceTypeRepository_var Session::types() const {
  const CORBA::Object_var object = lookup_->type_repos();
  return there(CosTradingRepos::ServiceTypeRepository_var(Repository::_narrow(object.in())),
               "repository of service types");
}

CORBA::Object_var Session::object(const std::string& text) const {
  std::string reference, problem;
  if (!programs::read_reference(text, reference, problem)) throw Failure{kCannot, problem};
  try {
    return orb_->string_to_object(reference.c_str());
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kCannot, e.what()};
  }
}

std::string Session::text_of(CORBA::Object_ptr object) const {
  return CORBA::String_var(orb_->object_to_string(object)).in();
}

}  // namespace callis::trade
