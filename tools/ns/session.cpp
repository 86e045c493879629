// SPDX-License-Identifier: Apache-2.0
// The root context, names, lists, and the words for exceptions.
#include <callis/base/text.h>
#include <callis/ior/tls_component.h>
#include <callis/orb/client/reference.h>
#include <services/programs/local_service.h>
#include <services/programs/reference_text.h>
#include <tools/ns/session.h>
#include <algorithm>

namespace callis::ns {

namespace {

constexpr CORBA::ULong kStep = 1000;
constexpr std::size_t kMostEntries = 10'000'000;  // of one context


void add(std::vector<Entry>& to, const CosNaming::BindingList& list) {
  for (CORBA::ULong i = 0; i < list.length(); ++i) {
    const CosNaming::Name& name = list[i].binding_name;
    if (name.length() != 1) throw Failure{kCannot, "the name service lists a name that is not of one component"};
    to.push_back({{name[0].id.in(), name[0].kind.in()}, list[i].binding_type == CosNaming::ncontext});
  }
  if (to.size() > kMostEntries) throw Failure{kCannot, "a context lists more than 10000000 bindings"};
}

std::vector<ior::Address> addresses_of(const ior::Ior& ior) {
  std::vector<ior::Address> out;
  for (const ior::TaggedProfile& p : ior.profiles) {
    if (p.tag != ior::kInternetProfile) continue;
    const auto read = ior::parse_iiop(p.data);
    if (!read) continue;
    for (ior::Address& a : ior::addresses(read.value()))
      if (a.port != 0) out.push_back(std::move(a));
    for (ior::Address& a : ior::tls_addresses(read.value())) out.push_back(std::move(a));
  }
  return out;
}

std::string key_of(const ior::Ior& ior) {
  ByteView key;
  for (const ior::TaggedProfile& p : ior.profiles)
    if (ior::find_object_key(p.tag, p.data, key) == Fault::None) break;
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

std::string default_service(CORBA::ORB_ptr orb, CORBA::Object_var& out) {
  try {
    out = orb->resolve_initial_references("NameService");
    return "the initial reference NameService";
  } catch (const CORBA::ORB::InvalidName&) {
    const std::string at = programs::local_service("naming", 2809, "NameService");
    out = orb->string_to_object(at.c_str());
    return at + " (--name-service names another)";
  }
}

// What lies in front of the rest: "a/b" of "a/b/c", "c".
std::string before(const CosNaming::Name& name, const CosNaming::Name& rest) {
  CosNaming::Name out = name;
  out.length(name.length() - std::min(name.length(), rest.length()));
  return out.length() == 0 ? "the root context" : "'" + shown(text_of(out)) + "'";
}

std::string why(const Context::NotFound& e, const CosNaming::Name& name) {
  CosNaming::Name first = e.rest_of_name;
  if (first.length() > 1) first.length(1);
  const std::string it = "'" + shown(text_of(first)) + "' in " + before(name, e.rest_of_name);
  switch (e.why) {
    case Context::missing_node: return "NotFound: there is no " + it;
    case Context::not_context: return "NotFound: " + it + " is no context";
    default: return "NotFound: " + it + " is a context, and no object";
  }
}

}  // namespace

std::string shown(std::string_view text) { return concat({Printable(text)}); }

CosNaming::Name name_of(const std::string& text) {
  naming::OwnedName name;
  if (!naming::parse_name(text, name))
    throw Failure{kWrongUsage, "'" + shown(text) +
                                   "' is no name: components have '/' between them, an id and, behind a dot, a kind; "
                                   "a backslash stands before a '/', '.' or backslash of theirs"};
  CosNaming::Name out;
  out.length(static_cast<CORBA::ULong>(name.parts.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) {
    out[i].id = name.parts[i].id.c_str();
    out[i].kind = name.parts[i].kind.c_str();
  }
  return out;
}

CosNaming::Name name_of(const Entry& entry) {
  CosNaming::Name out;
  out.length(1);
  out[0].id = entry.name.id.c_str();
  out[0].kind = entry.name.kind.c_str();
  return out;
}

std::string text_of(const CosNaming::Name& name) {
  std::string out;
  for (CORBA::ULong i = 0; i < name.length(); ++i)
    out += (i == 0 ? "" : "/") + naming::to_text(naming::Component{name[i].id.in(), name[i].kind.in()});
  return out;
}

void explained(const std::string& what, const CosNaming::Name& name, const std::function<void()>& f) {
  std::string text;
  try {
    return f();
  } catch (const Context::NotFound& e) {
    text = why(e, name);
  } catch (const Context::AlreadyBound&) {
    text = "AlreadyBound: something is bound to that name";
  } catch (const Context::NotEmpty&) {
    text = "NotEmpty: something is bound in the context";
  } catch (const Context::InvalidName&) {
    text = "InvalidName: the name service takes no such name";
  } catch (const Context::CannotProceed& e) {
    text = "CannotProceed: the name leads to another name service, at " + before(name, e.rest_of_name) +
           ", which cannot be asked";
  }
  throw Failure{kUserException, shown(what) + ": " + text};
}

Session::Session(CORBA::ORB_ptr orb, const Arguments& arguments) : orb_(CORBA::ORB::_duplicate(orb)) {
  CORBA::Object_var found;
  std::string what = arguments.name_service;
  if (what.empty()) {
    what = default_service(orb, found);
  } else {
    found = object(what);
  }
  root_ = Context::_narrow(found.in());
  if (CORBA::is_nil(root_.in())) throw Failure{kCannot, shown(what) + " is no naming context"};
  orb::Reference& reference = *root_->_callis_reference();
  addresses_ = addresses_of(reference.ior());
  root_keys_.push_back(key_of(reference.ior()));
  if (const auto forward = reference.forward()) {
    for (ior::Address& a : addresses_of(forward->ior())) addresses_.push_back(std::move(a));
    root_keys_.push_back(key_of(forward->ior()));
  }
}

std::string Session::identity(CORBA::Object_ptr context) const {
  if (!is_here(context)) return text_of(context);
  const std::string key = key_of(context->_callis_reference()->ior());
  const bool root = std::find(root_keys_.begin(), root_keys_.end(), key) != root_keys_.end();
  return root ? root_keys_.front() : key;
}

bool Session::is_here(CORBA::Object_ptr context) const {
  // A corbaloc has the host as somebody wrote it, which references may have otherwise: there the port alone counts.
  const bool as_written = root_->_callis_reference()->ior().type_id.empty();
  for (const ior::Address& a : addresses_of(context->_callis_reference()->ior()))
    for (const ior::Address& b : addresses_)
      if (a == b || (as_written && a.port == b.port)) return true;
  return addresses_.empty();
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

CosNaming::NamingContext_var Session::context(const std::string& text) const {
  if (text.empty()) return root_;
  const CosNaming::Name name = name_of(text);
  CosNaming::NamingContext_var out;
  explained("resolve " + text, name, [&] {
    const CORBA::Object_var found = root_->resolve(name);
    out = Context::_narrow(found.in());
  });
  if (CORBA::is_nil(out.in())) throw Failure{kCannot, "'" + shown(text) + "' is no context"};
  return out;
}

std::vector<Entry> Session::list(CosNaming::NamingContext_ptr context) {
  CosNaming::BindingList_var part;
  CosNaming::BindingIterator_var rest;
  context->list(kStep, part.out(), rest.out());
  std::vector<Entry> out;
  add(out, part.in());
  if (!CORBA::is_nil(rest.in())) {
    // Where no binding comes, it would go on for ever.
    while (rest->next_n(kStep, part.out()) && part->length() != 0) add(out, part.in());
    try {
      rest->destroy();
    } catch (const CORBA::SystemException&) {  // it is gone already
    }
  }
  std::sort(out.begin(), out.end(), [](const Entry& a, const Entry& b) {
    if (a.context != b.context) return a.context;
    return a.name.id != b.name.id ? a.name.id < b.name.id : a.name.kind < b.name.kind;
  });
  return out;
}

CORBA::Object_var Session::resolve(CosNaming::NamingContext_ptr context, const Entry& entry) {
  CORBA::Object_var out;
  explained("resolve " + entry.text(), name_of(entry), [&] { out = context->resolve(name_of(entry)); });
  return out;
}

CosNaming::NamingContext_var Session::resolve_context(CosNaming::NamingContext_ptr context, const Entry& entry) {
  return Context::_unchecked_narrow(resolve(context, entry).in());
}

}  // namespace callis::ns
