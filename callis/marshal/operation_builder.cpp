// SPDX-License-Identifier: Apache-2.0
// The plans of operations: what lies in their frames, and in which order it is sent.
//
// Plan building allocates through containers, so this file, builder.cpp and shuffle.cpp are compiled with
// exceptions; bad_alloc does not leave build_operation_plans().
#include <atomic>
#include <callis/base/keep_loaded.h>
#include <callis/marshal/internal/extension.h>
#include <callis/marshal/made_plans.h>
#include <mutex>

CALLIS_PROVIDE(run_time_plans);

namespace callis::marshal {

namespace {

constinit std::mutex building;

// A slot of a frame while its layout is computed.
class FrameLayout {
 public:
  std::uint32_t add(Layout slot) { return narrow(layout_.add(slot)); }
  Layout finish() const { return layout_.finish(); }

 private:
  StructLayout layout_;
};

// The kinds that are counted, or own more than the engine knows.
constexpr KindSet kCounted = kSharing | kinds(Kind::ObjRef, Kind::TypeCode);

// Strings, references and the like are pointers themselves.
bool is_pointer(Kind k) {
  return (kinds(Kind::String, Kind::WString, Kind::ObjRef, Kind::TypeCode, Kind::Abstract, Kind::Value) >>
          static_cast<unsigned>(k) & 1) != 0;
}

Way way_of(const Unit& unit, Word type) {
  return unit.extension && holds(unit, type, kSharing) ? Way::Scoped : Way::Walk;
}

class OperationBuilder {
 public:
  OperationBuilder(const Unit& unit, Word op) : unit_(unit), view_(unit, op) {}
  // Emits the blocks of the sides' plans.
  void emit(Builder& b, Side side, WordMap& bodies, Array<std::uint32_t>& body_blocks, Array<Word>& body_entries);
  void count(Side side, std::size_t& plans, std::size_t& exceptions) const;
  // After b.finish(): from `plans` and `exceptions` on, which are moved on. bodies: the plans of body_entries.
  OperationPlans finish(const Builder& b, const Program& program, Side side, Plan*& plans, ExceptionPlan*& exceptions,
                        const WordMap& bodies, const Plan* body_plans) const;

 private:
  static bool has(Side side, int plan) {
    return (static_cast<unsigned>(side) & static_cast<unsigned>(plan < 2 ? Side::Client : Side::Server)) != 0;
  }
  bool server_frame_owns() const;
  Layout pointer() const { return abi_of(unit_).pointer; }
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
  Layout frame_{};
  std::uint32_t blocks_[5];
  bool owns_[5];
  Way ways_[5];
};

Layout OperationBuilder::client_slot(Word type) const {
  return is_scalar(kind(type)) ? layout_of(unit_, type) : pointer();
}

Layout OperationBuilder::client_result_slot() const {
  const Word type = view_.result();
  const Kind k = kind(type);
  if (k == Kind::Void) return {0, 1};
  return is_scalar(k) ? layout_of(unit_, type) : pointer();
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
  return d == Direction::Out && server_owns(type, false) ? pointer() : layout_of(unit_, type);
}

Layout OperationBuilder::server_result_slot() const {
  const Word type = view_.result();
  if (kind(type) == Kind::Void) return {0, 1};
  return server_owns(type, true) ? pointer() : layout_of(unit_, type);
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

// Plans are in this order: the client's request and reply, the server's request, reply and frame.
void OperationBuilder::emit_block(Builder& b, int plan) const {
  switch (plan) {
    case 0: return client_request(b);
    case 1: return client_reply(b);
    case 2: return server_request(b);
    default: return server_results(b, plan == 4);
  }
}

// Whether something is left for the frame's plan to destroy.
bool OperationBuilder::server_frame_owns() const {
  const Word result = view_.result();
  if (kind(result) != Kind::Void && (is_variable(unit_, result) || server_owns(result, true))) return true;
  for (Word i = 0; i < view_.parameter_count(); ++i) {
    const Word type = view_.parameter(i) & ~(3u << 6);
    if (is_variable(unit_, type) && !borrowed(type, direction_of(view_.parameter(i)))) return true;
  }
  return false;
}

constexpr Uses kUses[] = {kEncodes, kDecodes, kDecodes, kEncodes, kDestroys};

void OperationBuilder::emit(Builder& b, Side side, WordMap& bodies, Array<std::uint32_t>& body_blocks,
                            Array<Word>& body_entries) {
  client_ = offsets(false, frame_);
  server_ = offsets(true, frame_);
  for (int i = 0; i < 5; ++i) {
    if (!has(side, i)) continue;
    b.open_block(kAnyPhase, kUses[i]);
    emit_block(b, i);
    owns_[i] = b.owns();
    ways_[i] = b.shares() ? Way::Scoped : Way::Walk;
    blocks_[i] = b.close_block();
  }
  const unsigned sides = static_cast<unsigned>(side);
  const Uses uses = static_cast<Uses>((sides & 1 ? kDecodes : 0) | (sides & 2 ? kEncodes : 0));
  for (Word i = 0; i < view_.exception_count(); ++i) {
    const Word entry = view_.exception(i);
    if (known_in(unit_, bodies, entry) != WordMap::kNone) continue;
    keep_in(unit_, bodies, entry, narrow(body_entries.size()));
    body_blocks.push_back(b.exception_block(entry, uses));
    body_entries.push_back(entry);
  }
}

void OperationBuilder::count(Side side, std::size_t& plans, std::size_t& exceptions) const {
  for (int i = 0; i < 5; ++i) plans += has(side, i);
  exceptions += view_.exception_count();
}

OperationPlans OperationBuilder::finish(const Builder& b, const Program& program, Side side, Plan*& plans,
                                        ExceptionPlan*& exceptions, const WordMap& bodies,
                                        const Plan* body_plans) const {
  OperationPlans made{};
  made.name = view_.name();
  made.name_length = view_.name_length();
  made.oneway = view_.oneway();
  made.unit = &unit_;
  made.op = static_cast<Word>(view_.entry - unit_.words);
  made.server_frame_bytes = frame_.size;
  made.server_frame_alignment = frame_.alignment;
  made.server_frame_owns = server_frame_owns();
  const Plan** const places[] = {&made.client_request, &made.client_reply, &made.server_request, &made.server_reply,
                                 &made.server_frame};
  for (int i = 0; i < 5; ++i) {
    if (!has(side, i)) continue;
    *plans = plan_of(b, program, blocks_[i], frame_, owns_[i], ways_[i]);
    *places[i] = plans++;
  }
  if (made.client_request) {
    made.client_is_flat = !made.oneway && is_flat(*made.client_request) && is_flat(*made.client_reply);
    made.flat_request_bytes = narrow(flat_bytes(*made.client_request));
    made.flat_reply_bytes = narrow(flat_bytes(*made.client_reply));
  }
  if (made.server_request) {
    made.server_is_flat = !made.oneway && is_flat(*made.server_request) && is_flat(*made.server_reply) &&
                          !made.server_frame_owns;
    made.flat_request_bytes = narrow(flat_bytes(*made.server_request));
    made.flat_reply_bytes = narrow(flat_bytes(*made.server_reply));
  }
  made.exceptions = exceptions;
  made.exception_count = view_.exception_count();
  for (Word i = 0; i < made.exception_count; ++i) {
    const Word entry = view_.exception(i);
    *exceptions++ = {unit_.links ? unit_.links[unit_.words[entry + 1]] : nullptr,
                     body_plans + known_in(unit_, bodies, entry)};
  }
  return made;
}

}  // namespace

const char kPlanBuilder = 0;

namespace {

struct KeptPlans : MadePlans {
  Array<Word> kept_tables;
  Array<Plan> kept_plans;
  Array<ExceptionPlan> kept_exceptions;
  Array<OperationPlans> kept_operations;
  Array<OperationState> states;
};

std::unique_ptr<KeptPlans> make_kept_plans(const Unit& unit, std::span<const Word> operations, Side side) {
  auto made = std::make_unique<KeptPlans>();
  Builder b(unit);
  Array<OperationBuilder*> drafts;
  struct Drafts {
    Array<OperationBuilder*>& all;
    ~Drafts() {
      for (OperationBuilder* const d : all) delete d;
    }
  } const owner{drafts};
  WordMap bodies;
  Array<std::uint32_t> body_blocks;
  Array<Word> body_entries;
  std::size_t plans = 0, exceptions = 0;
  for (const Word op : operations) {
    auto draft = std::make_unique<OperationBuilder>(unit, op);
    draft->emit(b, side, bodies, body_blocks, body_entries);
    draft->count(side, plans, exceptions);
    drafts.push_back(draft.get());
    (void)draft.release();
  }
  made->kept_tables = b.finish();
  made->program = {made->kept_tables.data(), unit.links, unit.extension};
  made->kept_plans.resize_exactly(plans + body_entries.size());
  made->kept_exceptions.resize_exactly(exceptions);
  Plan* const first_body = made->kept_plans.data() + plans;
  for (std::size_t i = 0; i < body_entries.size(); ++i) {
    const Word type = type_word(Kind::Ref, body_entries[i]);
    first_body[i] = plan_of(b, made->program, body_blocks[i], layout_of(unit, type), is_variable(unit, type),
                            way_of(unit, type));
  }
  Plan* plan = made->kept_plans.data();
  ExceptionPlan* exception = made->kept_exceptions.data();
  made->kept_operations.resize_exactly(drafts.size());
  made->states.resize_exactly(drafts.size());
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    made->kept_operations[i] = drafts[i]->finish(b, made->program, side, plan, exception, bodies, first_body);
    made->kept_operations[i].state = &made->states[i];
  }
  made->tables = {made->kept_tables.data(), made->kept_tables.size()};
  made->plans = {made->kept_plans.data(), made->kept_plans.size()};
  made->exceptions = {made->kept_exceptions.data(), made->kept_exceptions.size()};
  made->operations = {made->kept_operations.data(), made->kept_operations.size()};
  const Instruction* const first = first_instruction(made->program);
  for (Word i = 0; i < instructions(made->program); ++i)
    made->has_long_double = made->has_long_double || first[i].op == Op::LongDouble;
  return made;
}

}  // namespace

std::unique_ptr<const MadePlans, void (*)(const MadePlans*)> make_operation_plans(const Unit& unit,
                                                                                  std::span<const Word> operations,
                                                                                  Side side) {
  return {make_kept_plans(unit, operations, side).release(),
          [](const MadePlans* made) { delete static_cast<const KeptPlans*>(made); }};
}

void lock_plans() noexcept { building.lock(); }
void unlock_plans() noexcept { building.unlock(); }

const OperationPlans* build_operation_plans(const Unit& unit, Word op) {
  const OperationPlans*& slot = OperationView(unit, op).cell().plans;
  // Without the lock: the loader has one of its own, and holds that while a library's constructors make calls.
  if (CALLIS_HAS(plugins)) keep_loaded(unit.words);
  const std::lock_guard<std::mutex> lock(building);
  if (const OperationPlans* known = __atomic_load_n(&slot, __ATOMIC_ACQUIRE)) return known;
  try {
    const OperationPlans* const made =
        make_kept_plans(unit, {&op, 1}, Side::Both).release()->operations.data();
    __atomic_store_n(&slot, made, __ATOMIC_RELEASE);
    return made;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace callis::marshal
