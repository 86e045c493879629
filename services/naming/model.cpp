// SPDX-License-Identifier: Apache-2.0
// The model, and the form of the store's keys and values.
#include <callis/corba.h>
#include <services/naming/model.h>
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

std::shared_ptr<Binding> make_binding(const Component& component, std::string_view value, Revision changed) {
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

constexpr std::size_t kOverhead = services::MemoryBound::kOverhead;

Model::Model(services::MemoryBound* memory, bool twice) : memory_(memory), twice_(twice) {}
Model::~Model() = default;

// The binding with its place in the table, and the store's pair.
std::size_t Model::binding_cost(std::size_t name_bytes, std::size_t reference_bytes) const {
  const std::size_t bytes = kOverhead + name_bytes + reference_bytes;
  return bytes + BindingTable::kNodeBytes + (twice_ ? bytes : 0);
}
std::size_t Model::context_cost() const { return twice_ ? 2 * kOverhead : kOverhead; }

Model::Hold Model::take_binding(const Component& c, std::size_t reference_bytes) const {
  return memory_ ? memory_->take(binding_cost(c.id.size() + c.kind.size(), reference_bytes)) : Hold();
}
Model::Hold Model::take_context() const { return memory_ ? memory_->take(context_cost()) : Hold(); }

Model::Context* Model::All::find(Number number) {
  Contexts& in = part(number);
  const auto found = in.find(number);
  return found == in.end() ? nullptr : &found->second;
}

Walk Model::walk(Number from, Path name) const {
  Walk out;
  const std::shared_lock lock(mutex_);
  const Context* context = all_.find(from);
  if (!context) return out;
  out.context = from;
  const std::size_t last = name.size() - 1;
  for (std::size_t i = 0;; ++i) {
    const BindingPtr* const found = context->bindings.find(name[i]);
    out.at = i;
    if (i == last) {
      out.kind = Walk::Kind::Here;
      out.context_changed = context->changed;
      out.closing = context->closing;
      if (found) out.binding = *found;
      return out;
    }
    const bool local = found && (*found)->kind == Binding::Kind::Local;
    if (const Context* const next = local ? all_.find((*found)->number) : nullptr) {
      out.context = (*found)->number;
      context = next;
      continue;
    }
    out.kind = Walk::Kind::NotFound;
    out.why = found ? Why::NotContext : Why::MissingNode;  // a destroyed context is none
    if (found) out.binding = *found;
    if (found && out.binding->kind == Binding::Kind::Foreign) {
      out.kind = Walk::Kind::Foreign;
      out.at = i + 1;
    }
    return out;
  }
}

Model::State Model::state(Number number) const {
  const std::shared_lock lock(mutex_);
  const Context* const c = all_.find(number);
  if (!c) return {};
  return {c->changed, c->closing, c->bindings.any()};
}

bool Model::list(Number number, BindingTable& out) const {
  const std::shared_lock lock(mutex_);
  const Context* const c = all_.find(number);
  if (c) out = c->bindings;
  return c != nullptr;
}

std::size_t Model::orphans_of(const Hold& hold) const {
  const std::shared_lock lock(mutex_);
  const auto found = all_.orphans.find(hold.client());
  return found == all_.orphans.end() ? 0 : found->second;
}

std::size_t Model::orphans() const {
  const std::shared_lock lock(mutex_);
  std::size_t n = 0;
  for (const auto& [client, count] : all_.orphans) n += count;
  return n;
}

std::uint32_t Model::bound(Number number) const {
  const std::shared_lock lock(mutex_);
  const Context* const c = all_.find(number);
  return c ? c->bound : 0;
}

// --- changing ---

void Model::count_orphan(All& all, const Context& context, bool more) {
  const void* const client = context.held.client();
  std::size_t& n = all.orphans[client];
  more ? ++n : --n;
  if (n == 0) all.orphans.erase(client);
}

void Model::lead(All& all, const Binding& binding) {
  Context* const to = binding.kind == Binding::Kind::Local ? all.find(binding.number) : nullptr;
  if (!to) return;
  if (to->bound++ == 0) count_orphan(all, *to, false);
  if (all.searching) all.bound_meanwhile.push_back(binding.number);
}

void Model::unlead(All& all, const Binding& binding) {
  Context* const to = binding.kind == Binding::Kind::Local ? all.find(binding.number) : nullptr;
  if (to && to->bound != 0 && --to->bound == 0) count_orphan(all, *to, true);
}

void Model::put(All& all, const std::string& key, const std::string& value, Revision changed, Holds& holds) const {
  if (const auto number = context_of(key)) {
    const auto [found, made] = all.part(*number).try_emplace(*number);
    Context& c = found->second;
    c.changed = changed;
    c.closing = value == kClosing;
    if (!made) return;
    ++all.contexts;
    const bool held = holds.context.bytes() != 0 && holds.made == *number;
    c.held = held ? std::move(holds.context) : adopt(context_cost());
    c.since = std::chrono::steady_clock::now();
    c.reached = all.round;
    c.bound = *number == kRoot ? 1 : 0;
    if (c.bound == 0) count_orphan(all, c, true);
    return;
  }
  Number number = 0;
  Component component;
  if (!read_key(key, number, component)) return;
  Context* const context = all.find(number);
  const std::shared_ptr<Binding> made = context ? make_binding(component, value, changed) : nullptr;
  if (!made) return;
  made->held = holds.binding.bytes() != 0 ? std::move(holds.binding)
                                          : adopt(binding_cost(made->name.size(), made->reference.size()));
  // The context stays where it is: the new binding's target before the old one's, which may be the same.
  lead(all, *made);
  if (const BindingPtr before = context->bindings.put(made)) {
    unlead(all, *before);
  } else {
    ++all.bindings;
  }
}

void Model::erase(All& all, const std::string& key) const {
  if (const auto number = context_of(key)) {
    Context* const context = all.find(*number);
    if (!context) return;
    for (BindingTable::Cursor each(std::exchange(context->bindings, {})); each.at(); each.next()) {
      unlead(all, *each.at());
      --all.bindings;
    }
    if (context->bound == 0) count_orphan(all, *context, false);
    all.part(*number).erase(*number);
    --all.contexts;
    return;
  }
  Number number = 0;
  Component component;
  if (!read_key(key, number, component)) return;
  Context* const context = all.find(number);
  if (!context) return;
  const BindingPtr before = context->bindings.erase(component);
  if (!before) return;
  unlead(all, *before);
  --all.bindings;
}

void Model::publish() {
  contexts_ = all_.contexts;
  bindings_ = all_.bindings;
  ++changes_;
}

void Model::apply(std::span<const services::Change> changes, Holds&& holds) {
  const std::unique_lock lock(mutex_);
  // Contexts before the bindings in them, whatever order a transaction has; those that go, behind them.
  for (const bool contexts_first : {true, false})
    for (const services::Change& c : changes)
      if (c.value && c.key.starts_with(kContextPrefix) == contexts_first)
        put(all_, c.key, *c.value, c.revision, holds);
  for (const services::Change& c : changes)
    if (!c.value) erase(all_, c.key);
  publish();
}

void Model::charge(const std::string& binding_key, Revision changed, Holds&& holds) {
  if (!memory_) return;
  Holds before;  // go when the lock is free
  const std::unique_lock lock(mutex_);
  Number number = 0;
  Component component;
  if (holds.binding.bytes() != 0 && read_key(binding_key, number, component)) {
    const Context* const in = all_.find(number);
    const BindingPtr* const found = in ? in->bindings.find(component) : nullptr;
    if (found && (*found)->changed == changed)
      before.binding = std::exchange((*found)->held, std::move(holds.binding));
  }
  Context* const made = holds.context.bytes() != 0 ? all_.find(holds.made) : nullptr;
  if (!made) return;
  if (made->bound == 0) count_orphan(all_, *made, false);
  before.context = std::exchange(made->held, std::move(holds.context));
  if (made->bound == 0) count_orphan(all_, *made, true);
}

void Model::replace(std::vector<services::Pair>&& pairs) {
  All made;
  Holds none;
  for (const bool contexts_first : {true, false})
    for (const services::Pair& p : pairs)
      if (p.key.starts_with(kContextPrefix) == contexts_first) put(made, p.key, p.value, p.changed, none);
  {
    const std::unique_lock lock(mutex_);
    std::swap(all_, made);
    publish();
  }
}

// --- searching for orphans ---

Model::Search::Search(Model& model) : model_(model), alone_(model.search_, std::try_to_lock) {
  if (!alone_)
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "contexts that no name leads to are being searched for already");
  const std::unique_lock lock(model_.mutex_);
  model_.all_.searching = true;
  model_.all_.round = round_ = ++model_.rounds_;
}

Model::Search::~Search() {
  const std::unique_lock lock(model_.mutex_);
  model_.all_.searching = false;
  model_.all_.bound_meanwhile = {};
}

bool Model::Search::holds() const {
  const std::shared_lock lock(model_.mutex_);
  return model_.all_.searching;
}

bool Model::Search::reach(Number number, BindingTable& out) {
  const std::shared_lock lock(model_.mutex_);
  const Context* const c = model_.all_.find(number);
  if (!c || c->reached.exchange(round_, std::memory_order_relaxed) == round_) return false;
  out = c->bindings;
  return true;
}

std::vector<Number> Model::Search::bound_meanwhile() {
  const std::unique_lock lock(model_.mutex_);
  return std::exchange(model_.all_.bound_meanwhile, {});
}

}  // namespace callis::naming
