// SPDX-License-Identifier: Apache-2.0
// Operations of NamingContext and NamingContextExt.
#include <callis/base/text.h>
#include <callis/ior/text.h>
#include <services/common/numbered_objects.h>
#include <services/naming/context_servant.h>
#include <array>

namespace callis::naming {

namespace {

using Context = CosNaming::NamingContext;
using Does = Federation::Does;

// The components of a name from a peer, checked; they last as long as the name. Short names need no memory.
class Components {
 public:
  explicit Components(const CosNaming::Name& name) {
    const CORBA::ULong n = name.length();
    if (n == 0) throw Context::InvalidName();
    if (n > kMostComponents)
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             concat({"a name of ", Decimal(n), " components, more than ", Decimal(kMostComponents)}));
    Component* to = few_.data();
    if (n > few_.size()) {
      many_.resize(n);
      to = many_.data();
    }
    for (CORBA::ULong i = 0; i < n; ++i) {
      to[i] = {name[i].id.in(), name[i].kind.in()};
      check(to[i]);
    }
    path_ = {to, n};
  }
  Components(const Components&) = delete;
  Components& operator=(const Components&) = delete;
  operator Path() const { return path_; }

  static void check(const Component& c) {
    if (c.id.size() + c.kind.size() <= kMostComponentBytes) return;
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({"a component of a name has ", Decimal(c.id.size() + c.kind.size()),
                                   " bytes, more than ", Decimal(kMostComponentBytes)}));
  }

 private:
  std::array<Component, 8> few_;
  std::vector<Component> many_;
  Path path_;
};

Context::NotFoundReason reason(Why why) {
  switch (why) {
    case Why::MissingNode: return Context::missing_node;
    case Why::NotContext: return Context::not_context;
    case Why::NotObject: break;
  }
  return Context::not_object;
}

[[noreturn]] void no_context() {
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the naming context has been destroyed, or never was");
}

OwnedName parsed(const char* sn) {
  OwnedName out;
  if (!parse_name(sn, out)) throw Context::InvalidName();
  return out;
}

}  // namespace

Number ContextServant::here() const {
  const std::string_view id = services::request_id();
  const auto number = parts_.references.number_in({reinterpret_cast<const Byte*>(id.data()), id.size()});
  if (!number) no_context();
  return *number;
}

void ContextServant::may_change() const {
  if (parts_.readonly)
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO, "this naming service was started with --readonly");
}

CORBA::Object_var ContextServant::object_of(const Binding& binding) const {
  return binding.kind == Binding::Kind::Local ? parts_.references.context(binding.number)
                                              : parts_.references.from_bytes(binding.reference);
}

bool ContextServant::elsewhere(const Answer& answer, Path name) const {
  switch (answer.kind) {
    case Answer::Kind::Done: return false;
    case Answer::Kind::Foreign: ++parts_.asked; return true;
    case Answer::Kind::NoContext: no_context();
    case Answer::Kind::AlreadyBound: ++parts_.refused; throw Context::AlreadyBound();
    case Answer::Kind::NotEmpty: ++parts_.refused; throw Context::NotEmpty();
    case Answer::Kind::NotFound: break;
  }
  ++parts_.refused;
  throw Context::NotFound(reason(answer.why), naming::to_name(name, answer.at));
}

// --- resolving ---

CORBA::Object_ptr ContextServant::resolve(Path name) {
  const Answer answer = answered([&] { return parts_.directory.resolve(here(), name); });
  ++parts_.resolved;
  if (!elsewhere(answer, name)) return object_of(*answer.binding)._retn();
  return parts_.federation.ask(object_of(*answer.binding).in(), name, answer.at, Does::Asks,
                               [](Context::_ptr_type to, const CosNaming::Name& rest) { return to->resolve(rest); });
}

CORBA::Object_ptr ContextServant::resolve(const CosNaming::Name& n) {
  const Components name(n);
  return resolve(static_cast<Path>(name));
}

CORBA::Object_ptr ContextServant::resolve_str(const char* sn) {
  const OwnedName owned = parsed(sn);
  const std::vector<Component> name = owned.components();
  if (name.size() > kMostComponents) throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "a name has too many components");
  for (const Component& c : name) Components::check(c);
  return resolve(Path(name));
}

void ContextServant::list(CORBA::ULong how_many, CosNaming::BindingList_out bl, CosNaming::BindingIterator_out bi) {
  BindingTable all;
  if (!answered([&] { return parts_.directory.list(here(), all); })) no_context();
  BindingTable::Cursor next(all);
  CosNaming::BindingList_var first = new CosNaming::BindingList;
  if (how_many != 0) Iterators::fill(next, how_many, first.inout());
  bi = next.at() ? parts_.iterators.make(std::move(next)) : CosNaming::BindingIterator::_nil();
  bl = first._retn();
}

// --- changing ---

void ContextServant::bind_object(const CosNaming::Name& n, CORBA::Object_ptr obj, bool replace) {
  may_change();
  const Components name(n);
  const std::string reference = References::to_bytes(obj);
  const Answer answer =
      answered([&] { return parts_.directory.bind(here(), name, {Binding::Kind::Object, reference, 0}, replace); });
  if (elsewhere(answer, name)) {
    parts_.federation.ask(object_of(*answer.binding).in(), name, answer.at, Does::Changes,
                          [&](Context::_ptr_type to, const CosNaming::Name& rest) {
                            replace ? to->rebind(rest, obj) : to->bind(rest, obj);
                          });
  }
  ++parts_.changed;
}

void ContextServant::bind(const CosNaming::Name& n, CORBA::Object_ptr obj) { bind_object(n, obj, false); }
void ContextServant::rebind(const CosNaming::Name& n, CORBA::Object_ptr obj) { bind_object(n, obj, true); }

void ContextServant::bind_context(const CosNaming::Name& n, CosNaming::NamingContext_ptr nc, bool replace) {
  may_change();
  const Components name(n);
  if (CORBA::is_nil(nc)) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the context to be bound is nil");
  const auto own = parts_.references.own_context(nc);
  const std::string reference = own ? std::string() : References::to_bytes(nc);
  const Target target{own ? Binding::Kind::Local : Binding::Kind::Foreign, reference, own.value_or(0)};
  const Answer answer = answered([&] { return parts_.directory.bind(here(), name, target, replace); });
  if (elsewhere(answer, name)) {
    parts_.federation.ask(object_of(*answer.binding).in(), name, answer.at, Does::Changes,
                          [&](Context::_ptr_type to, const CosNaming::Name& rest) {
                            replace ? to->rebind_context(rest, nc) : to->bind_context(rest, nc);
                          });
  }
  ++parts_.changed;
}

void ContextServant::bind_context(const CosNaming::Name& n, CosNaming::NamingContext_ptr nc) {
  bind_context(n, nc, false);
}
void ContextServant::rebind_context(const CosNaming::Name& n, CosNaming::NamingContext_ptr nc) {
  bind_context(n, nc, true);
}

void ContextServant::unbind(const CosNaming::Name& n) {
  may_change();
  const Components name(n);
  const Answer answer = answered([&] { return parts_.directory.unbind(here(), name); });
  if (elsewhere(answer, name)) {
    parts_.federation.ask(object_of(*answer.binding).in(), name, answer.at, Does::Changes,
                          [](Context::_ptr_type to, const CosNaming::Name& rest) { to->unbind(rest); });
  }
  ++parts_.changed;
}

CosNaming::NamingContext_ptr ContextServant::new_context() {
  may_change();
  // From a context that exists.
  BindingTable unused;
  if (!answered([&] { return parts_.directory.list(here(), unused); })) no_context();
  const Number made = answered([&] { return parts_.directory.new_context(); });
  ++parts_.changed;
  return Context::_unchecked_narrow(parts_.references.context(made).in());
}

CosNaming::NamingContext_ptr ContextServant::bind_new_context(const CosNaming::Name& n) {
  may_change();
  const Components name(n);
  const Answer answer = answered([&] { return parts_.directory.bind_new_context(here(), name); });
  Context::_var_type out;
  if (elsewhere(answer, name)) {
    out = parts_.federation.ask(
        object_of(*answer.binding).in(), name, answer.at, Does::Changes,
        [](Context::_ptr_type to, const CosNaming::Name& rest) { return to->bind_new_context(rest); });
  } else {
    out = Context::_unchecked_narrow(parts_.references.context(answer.made).in());
  }
  ++parts_.changed;
  return out._retn();
}

void ContextServant::destroy() {
  may_change();
  if (here() == kRoot)
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO, "the root context is never destroyed: unbind what is in it");
  (void)elsewhere(answered([&] { return parts_.directory.destroy(here()); }), {});
  ++parts_.changed;
}

// --- names as text ---

char* ContextServant::to_string(const CosNaming::Name& n) {
  const Components name(n);
  return CORBA::string_dup(to_text(static_cast<Path>(name)).c_str());
}

CosNaming::Name* ContextServant::to_name(const char* sn) {
  const OwnedName owned = parsed(sn);
  return new CosNaming::Name(naming::to_name(owned.components()));
}

char* ContextServant::to_url(const char* addr, const char* sn) {
  (void)parsed(sn);
  const std::string url = concat({"corbaname:", addr});
  const bool is_address = *addr != '\0' && std::string_view(addr).find('#') == std::string_view::npos &&
                          std::holds_alternative<ior::NameInContext>(ior::parse_reference(url));
  if (!is_address) throw CosNaming::NamingContextExt::InvalidAddress();
  return CORBA::string_dup(concat({url, "#", escape_for_url(sn)}).c_str());
}

}  // namespace callis::naming
