// SPDX-License-Identifier: Apache-2.0
// A unit is a declaration that stands in a module, or in none. It is printed first, which tells what it needs; that
// is printed before it, and references to interfaces and valuetypes need no more than their names. What a repository
// says is not believed: names are looked at, and there is an end to all.
#include <services/ifr/reading.h>
#include <algorithm>

namespace callis::ifr {

namespace {

constexpr std::size_t kMostSteps = 2'000'000;
constexpr std::size_t kMostText = 64u << 20;
constexpr std::size_t kMostDepth = 300;

bool is_interface_kind(CORBA::DefinitionKind k) {
  return k == CORBA::dk_Interface || k == CORBA::dk_AbstractInterface || k == CORBA::dk_LocalInterface;
}

template<class D>
const D& described(const CORBA::Any& any, const char* what) {
  const D* out = nullptr;
  if (!(any >>= out)) throw Unreadable{std::string("the repository's description of ") + what + " is not one"};
  return *out;
}

}  // namespace

Reading::Reading(CORBA::Repository_ptr repository, std::chrono::milliseconds most_time)
    : repository_(CORBA::Repository::_duplicate(repository)), most_time_(most_time) {}
Reading::~Reading() = default;

void Reading::check_time() const {
  if (std::chrono::steady_clock::now() - begun_ > most_time_)
    throw Unreadable{"the repository needs more than " + std::to_string(most_time_.count()) + " ms to describe it"};
}

CORBA::Contained_ptr Reading::find(const std::string& id_or_name) {
  if (id_or_name.find(':') != std::string::npos && !id_or_name.starts_with("::")) {
    CORBA::Contained_var by_id = repository_->lookup_id(id_or_name.c_str());
    if (by_id.in()) return by_id._retn();
  }
  const std::string name = id_or_name.starts_with("::") ? id_or_name : "::" + id_or_name;
  return repository_->lookup(name.c_str());
}

Reading::Item& Reading::enter(CORBA::Contained_ptr reference, CORBA::DefinitionKind kind, const CORBA::Any& any) {
  if (++steps_ > kMostSteps) throw Unreadable{"the repository describes more than can be read"};
  check_time();
  Item out;
  const auto take = [&out](const auto& d) {
    out.id = d.id.in();
    out.name = d.name.in();
    out.container = d.defined_in.in();
    out.version = d.version.in();
  };
  switch (kind) {
    case CORBA::dk_Module: take(described<CORBA::ModuleDescription>(any, "a module")); break;
    case CORBA::dk_Constant: take(described<CORBA::ConstantDescription>(any, "a constant")); break;
    case CORBA::dk_Exception: take(described<CORBA::ExceptionDescription>(any, "an exception")); break;
    case CORBA::dk_Attribute: {
      const CORBA::ExtAttributeDescription* ext = nullptr;
      if (any >>= ext)
        take(*ext);
      else
        take(described<CORBA::AttributeDescription>(any, "an attribute"));
      break;
    }
    case CORBA::dk_Operation: take(described<CORBA::OperationDescription>(any, "an operation")); break;
    case CORBA::dk_ValueMember: take(described<CallisIfr::ValueMember>(any, "a state member")); break;
    case CORBA::dk_Value: take(described<CORBA::ValueDescription>(any, "a valuetype")); break;
    case CORBA::dk_Interface:
    case CORBA::dk_AbstractInterface:
    case CORBA::dk_LocalInterface: take(described<CORBA::InterfaceDescription>(any, "an interface")); break;
    case CORBA::dk_Alias:
    case CORBA::dk_Struct:
    case CORBA::dk_Union:
    case CORBA::dk_Enum:
    case CORBA::dk_ValueBox:
    case CORBA::dk_Native: take(described<CORBA::TypeDescription>(any, "a type")); break;
    default: throw Unreadable{"the repository has what IDL is not made of here (kind " + std::to_string(kind) + ")"};
  }
  identifier(out.name);
  quoted_id(out.id);
  out.kind = kind;
  out.reference = CORBA::Contained::_duplicate(reference);
  out.description = any;
  const std::string id = out.id;
  return items_.try_emplace(id, std::move(out)).first->second;
}

// nullptr: the repository has none.
Reading::Item* Reading::lookup(const std::string& id) {
  if (const auto known = items_.find(id); known != items_.end()) return &known->second;
  if (missing_.contains(id)) return nullptr;
  check_time();
  const CORBA::Contained_var found = repository_->lookup_id(id.c_str());
  if (!found.in()) {
    missing_.insert(id);
    return nullptr;
  }
  const CORBA::Contained::Description_var d = found->describe();
  Item& out = enter(found.in(), d->kind, d->value);
  if (out.id != id) throw Unreadable{"the repository finds " + out.id + " where " + id + " was looked for"};
  return &out;
}

Reading::Item& Reading::item(const std::string& id) {
  if (Item* found = lookup(id)) return *found;
  throw Unreadable{"the repository has nothing with the id " + id};
}

const std::vector<std::string>& Reading::inside(Item& of) {
  if (of.known_inside) return of.inside;
  of.known_inside = true;
  const CORBA::Container_var container = CORBA::Container::_unchecked_narrow(of.reference.in());
  const CORBA::Container::DescriptionSeq_var all = container->describe_contents(CORBA::dk_all, true, -1);
  for (CORBA::ULong i = 0; i < all->length(); ++i) {
    Item& inner = enter(all[i].contained_object.in(), all[i].kind, all[i].value);
    if (inner.container == of.id) of.inside.push_back(inner.id);
  }
  return of.inside;
}

std::string Reading::scoped_name(const Item& of) {
  std::string out = "::" + identifier(of.name);
  std::size_t levels = 0;
  for (const Item* at = &of; !at->container.empty();) {
    if (++levels > kMostDepth) throw Unreadable{of.id + " is in containers without end"};
    at = lookup(at->container);
    if (!at) break;  // some repositories give the outermost container an id
    out = "::" + identifier(at->name) + out;
  }
  return out;
}

// What it stands in, that is no module.
std::string Reading::unit_of(const Item& of) {
  const Item* unit = &of;
  std::size_t levels = 0;
  for (const Item* at = &of; !at->container.empty();) {
    if (++levels > kMostDepth) throw Unreadable{of.id + " is in containers without end"};
    at = lookup(at->container);
    if (!at) break;
    if (at->kind != CORBA::dk_Module) unit = at;
  }
  return unit->id;
}

void Reading::need(const std::string& id, bool whole) {
  if (needs_) needs_->emplace_back(id, whole);
}

std::string Reading::in_modules(const Item& of, const std::string& body) {
  std::vector<std::string> names;
  for (const Item* at = &of; !at->container.empty();) {
    at = lookup(at->container);
    if (!at) break;
    names.push_back(identifier(at->name));
    if (names.size() > kMostDepth) throw Unreadable{of.id + " is in modules without end"};
  }
  std::string out, end;
  for (auto n = names.rbegin(); n != names.rend(); ++n) {
    out += "module " + *n + " {\n";
    end += "};\n";
  }
  return out + body + end;
}

void Reading::emit_forward(const Item& of) {
  if (done_.contains(of.id) || !forwarded_.insert(of.id).second) return;
  std::string words;
  if (of.kind == CORBA::dk_Value) {
    const auto& v = described<CORBA::ValueDescription>(of.description, "a valuetype");
    words = std::string(v.is_abstract ? "abstract " : "") + "valuetype ";
    later_.push_back(of.id);
  } else if (of.kind == CORBA::dk_Struct || of.kind == CORBA::dk_Union) {
    words = of.kind == CORBA::dk_Struct ? "struct " : "union ";
  } else {
    words = std::string(of.kind == CORBA::dk_AbstractInterface ? "abstract "
                        : of.kind == CORBA::dk_LocalInterface  ? "local "
                                                               : "") +
            "interface ";
  }
  const std::string name = identifier(of.name);
  text_ += in_modules(of, words + name + ";\n#pragma ID " + name + " \"" + quoted_id(of.id) + "\"\n");
}

void Reading::emit(const std::string& unit) {
  if (done_.contains(unit) || !open_.insert(unit).second) return;
  if (++depth_ > kMostDepth) throw Unreadable{"declarations need each other deeper than can be read"};
  Item& of = item(unit);
  if (of.kind == CORBA::dk_Module) throw Unreadable{unit + " is a module, where a declaration is needed"};
  std::vector<std::pair<std::string, bool>> needs;
  auto* const outer_needs = std::exchange(needs_, &needs);
  std::string outer_unit = std::exchange(current_unit_, unit);
  const std::string body = declaration(of, "");
  needs_ = outer_needs;
  current_unit_ = std::move(outer_unit);
  for (const auto& [id, whole] : needs) {
    Item& other = item(id);
    const std::string its_unit = unit_of(other);
    if (its_unit == unit) continue;
    if (!whole && its_unit == id && (is_interface_kind(other.kind) || other.kind == CORBA::dk_Value))
      emit_forward(other);
    else if (open_.contains(its_unit) && (other.kind == CORBA::dk_Struct || other.kind == CORBA::dk_Union))
      emit_forward(other);  // the two hold sequences of each other
    else
      emit(its_unit);
  }
  text_ += in_modules(of, body);
  if (text_.size() > kMostText) throw Unreadable{"the repository describes more than can be read"};
  done_.insert(unit);
  open_.erase(unit);
  --depth_;
}

void Reading::add(const std::string& id) {
  emit(unit_of(item(id)));
  while (!later_.empty()) {
    const std::string next = later_.back();
    later_.pop_back();
    emit(next);
  }
}

void Reading::all(CORBA::Container_ptr container) {
  const CORBA::Container::DescriptionSeq_var all = container->describe_contents(CORBA::dk_all, true, -1);
  for (CORBA::ULong i = 0; i < all->length(); ++i) {
    Item& inner = enter(all[i].contained_object.in(), all[i].kind, all[i].value);
    if (inner.kind != CORBA::dk_Module) {
      add(inner.id);
    } else {
      if (++depth_ > kMostDepth) throw Unreadable{"modules are in each other deeper than can be read"};
      const CORBA::Container_var module = CORBA::Container::_unchecked_narrow(inner.reference.in());
      this->all(module.in());
      --depth_;
    }
  }
}

}  // namespace callis::ifr
