// SPDX-License-Identifier: Apache-2.0
// Plan building allocates through containers, so this file, builder.cpp and shuffle.cpp are compiled with
// exceptions; bad_alloc does not leave this file.
#include <algorithm>
#include <atomic>
#include <callis/base/keep_loaded.h>
#include <callis/marshal/internal/builder.h>
#include <callis/marshal/internal/program.h>
#include <mutex>

namespace callis::marshal {

namespace {

ReferenceHandlers g_handlers{};

constinit std::mutex building;

// A slot of a frame while its layout is computed.
class FrameLayout {
 public:
  std::uint32_t add(Layout slot) { return narrow(layout_.add(slot)); }
  Layout finish() const { return layout_.finish(); }

 private:
  StructLayout layout_;
};

constexpr Layout kPointer{sizeof(void*), alignof(void*)};

// The kinds that are counted, or own more than the engine knows.
constexpr KindSet kCounted = kSharing | kinds(Kind::ObjRef, Kind::TypeCode);

// Strings, references and the like are pointers themselves.
bool is_pointer(Kind k) {
  return (kinds(Kind::String, Kind::WString, Kind::ObjRef, Kind::TypeCode, Kind::Abstract, Kind::Value) >>
          static_cast<unsigned>(k) & 1) != 0;
}

Way way_of(const Unit& unit, Word type, Work* work = nullptr) {
  return unit.extension && holds(unit, type, kSharing, work) ? Way::Scoped : Way::Walk;
}

// Everything that one operation needs in one allocation's life.
struct OperationStorage : OperationPlans {
  Program program;
  Plan plans[5];
  Array<Plan> bodies;
  Array<ExceptionPlan> exception_plans;
};

class OperationBuilder {
 public:
  OperationBuilder(const Unit& unit, Word op) : unit_(unit), view_(unit, op) {}
  std::unique_ptr<OperationStorage> build();

 private:
  Kind kind(Word type) const { return resolve(unit_, type).kind; }
  // The slots' native layout differs between the sides.
  Layout client_slot(Word type) const;
  Layout client_result_slot() const;
  Layout server_slot(Word type, Direction d) const;
  Layout server_result_slot() const;
  bool server_owns(Word type, bool result) const;
  bool borrowed(Word type, Direction d) const;

  void client_request(Builder& b) const;
  void client_reply(Builder& b) const;
  void server_request(Builder& b) const;
  void server_results(Builder& b, bool arguments_too) const;
  void emit_result(Builder& b, Word type, std::uint32_t offset, bool owned) const;

  Array<std::uint32_t> offsets(bool server, Layout& whole) const;
  void emit_block(Builder& b, int plan) const;

  const Unit& unit_;
  OperationView view_;
  Array<std::uint32_t> client_, server_;  // offsets; the result's last
};

Layout OperationBuilder::client_slot(Word type) const {
  return is_scalar(kind(type)) ? layout_of(unit_, type) : kPointer;
}

Layout OperationBuilder::client_result_slot() const {
  const Word type = view_.result();
  const Kind k = kind(type);
  if (k == Kind::Void) return {0, 1};
  return is_scalar(k) ? layout_of(unit_, type) : kPointer;
}

// Whether a result lies behind an owned pointer on the server.
bool OperationBuilder::server_owns(Word type, bool result) const {
  const Kind k = kind(type);
  if (is_scalar(k) || is_pointer(k)) return false;
  return is_variable(unit_, type) || (result && k == Kind::Array);
}

// Whether the server leaves an argument in the message or the arena. An argument that holds counted objects is
// destroyed like any other value.
bool OperationBuilder::borrowed(Word type, Direction d) const {
  return d == Direction::In && is_variable(unit_, type) && !holds(unit_, type, kCounted);
}

Layout OperationBuilder::server_slot(Word type, Direction d) const {
  return d == Direction::Out && server_owns(type, false) ? kPointer : layout_of(unit_, type);
}

Layout OperationBuilder::server_result_slot() const {
  const Word type = view_.result();
  if (kind(type) == Kind::Void) return {0, 1};
  return server_owns(type, true) ? kPointer : layout_of(unit_, type);
}

Array<std::uint32_t> OperationBuilder::offsets(bool server, Layout& whole) const {
  FrameLayout layout;
  Array<std::uint32_t> at;
  for (Word i = 0; i < view_.parameter_count(); ++i) {
    const Word p = view_.parameter(i), type = p & ~(3u << 6);
    at.push_back(layout.add(server ? server_slot(type, direction_of(p)) : client_slot(type)));
  }
  at.push_back(layout.add(server ? server_result_slot() : client_result_slot()));
  whole = layout.finish();
  return at;
}

void OperationBuilder::client_request(Builder& b) const {
  for (Word i = 0; i < view_.parameter_count(); ++i) {
    const Direction d = direction_of(view_.parameter(i));
    const Word type = view_.parameter(i) & ~(3u << 6);
    if (d == Direction::Out) continue;
    if (is_scalar(kind(type)) || (d == Direction::In && is_pointer(kind(type)))) b.emit(type, client_[i]);
    else b.emit_pointed(type, client_[i]);
  }
}

void OperationBuilder::client_reply(Builder& b) const {
  const Word result = view_.result();
  const Kind k = kind(result);
  const std::uint32_t at = client_.back();
  if (is_scalar(k) || is_pointer(k)) b.emit(result, at);
  else if (k == Kind::Array || (k != Kind::Void && is_variable(unit_, result))) b.emit_owned(result, at);
  else if (k != Kind::Void) b.emit_pointed(result, at);
  for (Word i = 0; i < view_.parameter_count(); ++i) {
    const Direction d = direction_of(view_.parameter(i));
    const Word type = view_.parameter(i) & ~(3u << 6);
    if (d == Direction::In) continue;
    if (is_scalar(kind(type))) b.emit(type, client_[i]);
    else if (d == Direction::Out && server_owns(type, false)) b.emit_pointed_owned(type, client_[i]);
    else b.emit_pointed(type, client_[i]);
  }
}

void OperationBuilder::server_request(Builder& b) const {
  for (Word i = 0; i < view_.parameter_count(); ++i) {
    const Direction d = direction_of(view_.parameter(i));
    const Word type = view_.parameter(i) & ~(3u << 6);
    if (borrowed(type, d)) b.emit_borrowed(type, server_[i]);
    else if (d != Direction::Out) b.emit(type, server_[i]);
  }
}

void OperationBuilder::emit_result(Builder& b, Word type, std::uint32_t offset, bool owned) const {
  if (owned) b.emit_owned(type, offset);
  else b.emit(type, offset);
}

void OperationBuilder::server_results(Builder& b, bool arguments_too) const {
  emit_result(b, view_.result(), server_.back(), server_owns(view_.result(), true));
  for (Word i = 0; i < view_.parameter_count(); ++i) {
    const Direction d = direction_of(view_.parameter(i));
    const Word type = view_.parameter(i) & ~(3u << 6);
    if (d == Direction::In && (!arguments_too || borrowed(type, d))) continue;
    emit_result(b, type, server_[i], d == Direction::Out && server_owns(type, false));
  }
}

// The blocks are in the order of OperationStorage::plans.
void OperationBuilder::emit_block(Builder& b, int plan) const {
  switch (plan) {
    case 0: return client_request(b);
    case 1: return client_reply(b);
    case 2: return server_request(b);
    default: return server_results(b, plan == 4);
  }
}

std::unique_ptr<OperationStorage> OperationBuilder::build() {
  auto s = std::make_unique<OperationStorage>();
  s->name = view_.name();
  s->name_length = view_.name_length();
  s->oneway = view_.oneway();
  s->unit = &unit_;
  s->op = static_cast<Word>(view_.entry - unit_.words);
  Layout frame{};
  client_ = offsets(false, frame);
  server_ = offsets(true, frame);
  s->server_frame_bytes = frame.size;
  s->server_frame_alignment = frame.alignment;

  Builder b(unit_, s->program);
  std::uint32_t blocks[5];
  for (int i = 0; i < 5; ++i) {
    b.open_block(kAnyPhase);
    emit_block(b, i);
    s->plans[i].owns = b.owns();
    if (b.shares()) s->plans[i].way = Way::Scoped;
    blocks[i] = b.close_block();
  }
  Array<std::uint32_t> bodies;
  for (Word i = 0; i < view_.exception_count(); ++i) bodies.push_back(b.exception_block(view_.exception(i)));
  b.finish();

  for (int i = 0; i < 5; ++i) {
    s->plans[i] = {
        &s->program,    b.block_position(blocks[i]), narrow(frame.size), narrow(frame.alignment), 1, s->plans[i].owns,
        s->plans[i].way};
    b.shorten(s->plans[i]);
  }
  s->client_request = &s->plans[0];
  s->client_reply = &s->plans[1];
  s->server_request = &s->plans[2];
  s->server_reply = &s->plans[3];
  s->server_frame = &s->plans[4];
  s->server_frame_owns = s->plans[4].owns;
  if (CALLIS_HAS(flat_plans)) note_flat(*s);
  s->bodies.resize(bodies.size());
  for (Word i = 0; i < bodies.size(); ++i) {
    const Word entry = view_.exception(i);
    const Layout l = layout_of(unit_, type_word(Kind::Ref, entry));
    s->bodies[i] = {&s->program, b.block_position(bodies[i]), narrow(l.size), narrow(l.alignment), 1,
                    is_variable(unit_, type_word(Kind::Ref, entry)), way_of(unit_, type_word(Kind::Ref, entry))};
    s->exception_plans.push_back({unit_.links[unit_.words[entry + 1]], &s->bodies[i]});
  }
  s->exceptions = s->exception_plans.data();
  s->exception_count = narrow(bodies.size());
  return s;
}

struct TypeStorage {
  Program program;
  Plan plan;
};

}  // namespace

void set_reference_handlers(const ReferenceHandlers& handlers) noexcept { g_handlers = handlers; }
const ReferenceHandlers& reference_handlers() noexcept { return g_handlers; }

std::size_t native_size(const Plan& plan) { return plan.size; }
std::size_t native_alignment(const Plan& plan) { return plan.alignment; }
std::size_t minimum_wire_size(const Plan& plan) { return plan.minimum_wire; }

void lock_plans() noexcept { building.lock(); }
void unlock_plans() noexcept { building.unlock(); }

const OperationPlans* build_operation_plans(const Unit& unit, Word op) {
  std::atomic_ref<OperationPlans*> slot(OperationView(unit, op).cell().plans);
  // Without the lock: the loader has one of its own, and holds that while a library's constructors make calls.
  if (CALLIS_HAS(plugins)) keep_loaded(unit.words);
  const std::lock_guard<std::mutex> lock(building);
  if (OperationPlans* known = slot.load(std::memory_order_acquire)) return known;
  try {
    OperationPlans* made = OperationBuilder(unit, op).build().release();
    slot.store(made, std::memory_order_release);
    return made;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

std::size_t memory_bytes(const Plan& plan) {
  const auto bytes = []<class... T>(const Array<T>&... arrays) { return (0u + ... + (arrays.size() * sizeof(T))); };
  const Program& p = *plan.program;
  return sizeof(TypeStorage) + bytes(p.code, p.runs, p.variants, p.moves, p.items, p.checks, p.shuffles, p.elements,
                                     p.unions, p.labels, p.links);
}

std::shared_ptr<const Plan> make_plan(const Unit& unit, Word type, Work* work) try {
  if (work) work->take(sizeof(TypeStorage));
  auto s = std::make_shared<TypeStorage>();
  Builder b(unit, s->program);
  if (work) b.charge_to(*work);
  const Resolved r = resolve(unit, type);
  const std::uint32_t block = r.kind == Kind::Exception ? b.exception_block(r.entry) : b.value_block(type);
  const TypeFacts f = b.facts(type);
  const Way way = way_of(unit, type, work);
  b.finish();
  // It stays charged, and is the plan's from now on.
  s->program.each_array([](auto& array) { array.charge_to(nullptr); });
  s->plan = {&s->program, b.block_position(block), narrow(f.layout.size), narrow(f.layout.alignment),
             narrow(f.minimum_wire), f.variable, way};
  return {s, &s->plan};
} catch (const std::bad_alloc&) {
  return nullptr;
}

}  // namespace callis::marshal
