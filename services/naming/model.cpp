// SPDX-License-Identifier: Apache-2.0
// The model, and the form of the store's keys and values.
#include <callis/base/seeded_hash.h>
#include <services/naming/model.h>
#include <algorithm>
#include <mutex>

namespace callis::naming {

std::string to_digits(Number number) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; number >>= 4) out[i] = kDigits[number & 15];
  return out;
}

std::optional<Number> from_digits(std::string_view digits) {
  if (digits.size() != 16) return std::nullopt;
  Number out = 0;
  for (const char c : digits) {
    const int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (d < 0) return std::nullopt;
    out = out << 4 | static_cast<Number>(d);
  }
  return out;
}

std::string context_key(Number context) { return std::string(kContextPrefix) + to_digits(context); }
std::string bindings_prefix(Number context) { return std::string(kBindingPrefix) + to_digits(context) + '/'; }
std::string binding_key(Number context, const Component& component) {
  std::string out = bindings_prefix(context);
  out.append(component.id);
  out += '\0';
  out.append(component.kind);
  return out;
}
std::string object_value(std::string_view reference) { return 'o' + std::string(reference); }
std::string foreign_value(std::string_view reference) { return 'f' + std::string(reference); }
std::string local_value(Number context) { return 'l' + to_digits(context); }

namespace {

// Of a binding's key; false for other keys. component: into key.
bool read_key(std::string_view key, Number& context, Component& component) {
  if (!key.starts_with(kBindingPrefix)) return false;
  key.remove_prefix(kBindingPrefix.size());
  if (key.size() < 18 || key[16] != '/') return false;
  const auto number = from_digits(key.substr(0, 16));
  key.remove_prefix(17);
  const std::size_t nul = key.find('\0');
  if (!number || nul == std::string_view::npos) return false;
  context = *number;
  component = {key.substr(0, nul), key.substr(nul + 1)};
  return true;
}

std::optional<Number> context_of(std::string_view key) {
  if (!key.starts_with(kContextPrefix)) return std::nullopt;
  return from_digits(key.substr(kContextPrefix.size()));
}

BindingPtr make_binding(const Component& component, std::string_view value, Revision changed) {
  auto out = std::make_shared<Binding>();
  out->id_bytes = static_cast<std::uint32_t>(component.id.size());
  out->changed = changed;
  out->name.reserve(component.id.size() + component.kind.size() + 1);
  out->name.append(component.id);
  out->name += '\0';
  out->name.append(component.kind);
  const char kind = value.empty() ? '\0' : value[0];
  if (kind == 'l') {
    const auto number = from_digits(value.substr(1));
    if (!number) return nullptr;
    out->kind = Binding::Kind::Local;
    out->number = *number;
  } else if (kind == 'o' || kind == 'f') {
    out->kind = static_cast<Binding::Kind>(kind);
    out->reference = value.substr(1);
  } else {
    return nullptr;
  }
  return out;
}

}  // namespace

std::size_t Model::Hash::operator()(const Component& c) const {
  const std::uint64_t of_kind = c.kind.empty() ? 0 : seeded_hash(c.kind);
  return seeded_hash(c.id) + of_kind * 0x9e3779b97f4a7c15u;
}

Model::Model() = default;
Model::~Model() = default;

Walk Model::walk(Number from, Path name) const {
  Walk out;
  const std::shared_lock lock(mutex_);
  auto context = contexts_.find(from);
  if (context == contexts_.end()) return out;
  const std::size_t last = name.size() - 1;
  for (std::size_t i = 0;; ++i) {
    const auto found = context->second.bindings.find(name[i]);
    const bool bound = found != context->second.bindings.end();
    if (i == last) {
      out.kind = Walk::Kind::Here;
      out.at = i;
      out.context = context->first;
      out.context_changed = context->second.changed;
      out.closing = context->second.closing;
      if (bound) out.binding = *found;
      return out;
    }
    const bool local = bound && (*found)->kind == Binding::Kind::Local;
    const auto next = local ? contexts_.find((*found)->number) : contexts_.end();
    if (next != contexts_.end()) {
      context = next;
      continue;
    }
    out.kind = Walk::Kind::NotFound;
    out.at = i;
    out.why = bound ? Why::NotContext : Why::MissingNode;  // a destroyed context is none
    out.context = context->first;
    if (bound) out.binding = *found;
    if (bound && out.binding->kind == Binding::Kind::Foreign) {
      out.kind = Walk::Kind::Foreign;
      out.at = i + 1;
    }
    return out;
  }
}

Model::State Model::state(Number number) const {
  const std::shared_lock lock(mutex_);
  const auto found = contexts_.find(number);
  if (found == contexts_.end()) return {};
  const Context& c = found->second;
  return {c.changed, c.closing, c.bindings.empty() ? nullptr : *c.bindings.begin()};
}

bool Model::list(Number number, std::vector<BindingPtr>& out) const {
  const std::shared_lock lock(mutex_);
  const auto found = contexts_.find(number);
  if (found == contexts_.end()) return false;
  out.assign(found->second.bindings.begin(), found->second.bindings.end());
  return true;
}

std::size_t Model::contexts() const {
  const std::shared_lock lock(mutex_);
  return contexts_.size();
}

std::size_t Model::bindings() const {
  const std::shared_lock lock(mutex_);
  return bindings_;
}

void Model::put(Contexts& all, const std::string& key, const std::string& value, Revision changed,
                std::size_t& bindings) {
  if (const auto number = context_of(key)) {
    Context& c = all[*number];
    c.changed = changed;
    c.closing = value == kClosing;
    return;
  }
  Number number = 0;
  Component component;
  if (!read_key(key, number, component)) return;
  const auto context = all.find(number);
  BindingPtr made = context == all.end() ? nullptr : make_binding(component, value, changed);
  if (!made) return;
  auto& in = context->second.bindings;
  const auto old = in.find(component);
  if (old != in.end()) {
    in.erase(old);
    --bindings;
  }
  in.insert(std::move(made));
  ++bindings;
}

void Model::erase(Contexts& all, const std::string& key, std::size_t& bindings) {
  if (const auto number = context_of(key)) {
    const auto found = all.find(*number);
    if (found == all.end()) return;
    bindings -= found->second.bindings.size();
    all.erase(found);
    return;
  }
  Number number = 0;
  Component component;
  if (!read_key(key, number, component)) return;
  const auto context = all.find(number);
  if (context == all.end()) return;
  const auto old = context->second.bindings.find(component);
  if (old == context->second.bindings.end()) return;
  context->second.bindings.erase(old);
  --bindings;
}

void Model::apply(std::span<const services::Change> changes) {
  const std::unique_lock lock(mutex_);
  // Contexts before the bindings in them, whatever order a transaction has; those that go, behind them.
  for (const bool contexts_first : {true, false})
    for (const services::Change& c : changes)
      if (c.value && c.key.starts_with(kContextPrefix) == contexts_first)
        put(contexts_, c.key, *c.value, c.revision, bindings_);
  for (const services::Change& c : changes)
    if (!c.value) erase(contexts_, c.key, bindings_);
  ++changes_;
}

void Model::replace(std::vector<services::Pair>&& pairs) {
  Contexts made;
  std::size_t bindings = 0;
  for (const bool contexts_first : {true, false})
    for (const services::Pair& p : pairs)
      if (p.key.starts_with(kContextPrefix) == contexts_first) put(made, p.key, p.value, p.changed, bindings);
  {
    const std::unique_lock lock(mutex_);
    contexts_.swap(made);
    std::swap(bindings_, bindings);
    ++changes_;
  }
}

}  // namespace callis::naming
