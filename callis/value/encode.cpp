// SPDX-License-Identifier: Apache-2.0
// Writing values. A graph is written in one run; what has been written before goes as an offset back to it.
#include <callis/marshal/plan.h>
#include <callis/value/custom.h>
#include <callis/value/internal/custom_streams.h>
#include <callis/value/internal/handlers.h>
#include <callis/value/internal/open_value.h>
#include <callis/value/internal/scope.h>
#include <callis/value/wire.h>
#include <atomic>
#include <memory>
#include <new>

namespace callis::value {

namespace {

// Plans of states, which live as long as the program runs, where leak checkers find them.
struct KeptPlan {
  std::shared_ptr<const marshal::Plan> plan;
  KeptPlan* next;
};
constinit std::atomic<KeptPlan*> kept_plans{nullptr};

void keep(KeptPlan* k) {
  k->next = kept_plans.load(std::memory_order_relaxed);
  while (!kept_plans.compare_exchange_weak(k->next, k, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

}  // namespace

const marshal::Plan* plan_of(const ValueLink& link) {
  if (const marshal::Plan* known = __atomic_load_n(link.plan, __ATOMIC_ACQUIRE)) return known;
  std::unique_ptr<KeptPlan> made(new KeptPlan{marshal::make_plan(*link.unit, link.state), nullptr});
  const marshal::Plan* const plan = made->plan.get();
  if (!plan) return nullptr;
  const marshal::Plan* expected = nullptr;
  if (!__atomic_compare_exchange_n(link.plan, &expected, plan, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return expected;
  keep(made.release());
  return plan;
}

namespace {

// Values that are not members of each other's states but in sequences, anys and the like of them nest on the stack.
constexpr std::uint32_t kMaxNested = FixedLimits::max_sent_value_nesting;

class ValueWriter {
 public:
  // Arrays in the Gather are not in the buffer: none is added while this lives, so that positions stay comparable.
  ValueWriter(cdr::Encoder& e, Writer& scope) : e_(e), s_(scope), gather_(e.gather()) {
    if (!gather_) return;
    s_.gathered = gather_->bytes;
    e_.set_gather(nullptr);
  }
  ~ValueWriter() {
    if (gather_) e_.set_gather(gather_);
  }
  ValueWriter(const ValueWriter&) = delete;
  ValueWriter& operator=(const ValueWriter&) = delete;

  void value(CORBA::ValueBase* v, const ValueLink* formal);

 private:
  std::size_t position() const { return e_.position() + s_.gathered; }
  void indirection(std::size_t to);
  void repository_id(const char* id);
  void type_info(const ValueLink& link, std::uint32_t how);
  using Open = OpenValue;
  // Writes what a value begins with, and its state where it is custom. False: nothing is left to be written, or there
  // is a fault.
  bool begin(CORBA::ValueBase* v, const ValueLink* formal, Open& open);
  bool begin_level(Open& open);
  bool next_member(Open& open);
  void end(const Open& open);
  void custom(CORBA::ValueBase& v);
  void open_chunk();
  void close_chunk();
  void end_chunks();

  cdr::Encoder& e_;
  Writer& s_;
  cdr::Gather* const gather_;
  Levels levels_;
};

void ValueWriter::indirection(std::size_t to) {
  e_.put_ulong(kIndirectionTag);
  const std::size_t distance = position() - to;
  if (distance > 0x7fffffff) return e_.set_fault(Fault::LimitExceeded);
  e_.put_ulong(static_cast<std::uint32_t>(-static_cast<std::int64_t>(distance)));
}

void ValueWriter::repository_id(const char* id) {
  const auto [known, fresh] = s_.ids.try_emplace(id);
  if (!fresh) return indirection(known->second);
  e_.align(4);
  known->second = position();
  e_.put_string(id);
}

// The truncatable bases go along, so that the receiver can make do with one of them.
[[gnu::noinline]] void ValueWriter::type_info(const ValueLink& link, std::uint32_t how) {
  if (how == kNoType) return;
  if (how == kOneId) return repository_id(link.repository_id);
  const auto [known, fresh] = s_.id_lists.try_emplace(&link);
  if (!fresh) return indirection(known->second);
  e_.align(4);
  known->second = position();
  std::uint32_t n = 1;
  for (const ValueLink* l = &link; l->flags & kTruncatable && l->base; l = l->base) ++n;
  e_.put_ulong(n);
  for (const ValueLink* l = &link; n != 0; --n, l = l->base) repository_id(l->repository_id);
}

// Those around the one that is being written are in a list: the innermost last.
void ValueWriter::value(CORBA::ValueBase* v, const ValueLink* formal) {
  if (s_.nested == kMaxNested) return e_.set_fault(Fault::TooDeep);
  Open open;
  ++s_.nested;
  if (begin(v, formal, open)) {
    std::vector<Open> around;
    for (;;) {
      while (next_member(open)) {
        const auto* const of = static_cast<const ValueLink*>(open.stop.link);
        Open member;
        if (!begin(value_in(static_cast<const Byte*>(open.state) + open.stop.offset, of), of, member)) continue;
        around.push_back(open);
        open = member;
      }
      if (e_.fault() != Fault::None) break;
      end(open);
      if (around.empty()) break;
      open = around.back();
      around.pop_back();
    }
  }
  --s_.nested;
}

[[gnu::noinline]] bool ValueWriter::begin(CORBA::ValueBase* v, const ValueLink* formal, Open& open) {
  if (!v) return e_.put_ulong(kNullTag), false;
  const ValueLink* const link = v->_callis_link();
  if (!link || link->flags & kAbstract) return e_.set_fault(Fault::BadValue), false;
  const auto [known, fresh] = s_.values.try_emplace(v);
  if (!fresh) return indirection(known->second), false;
  if (s_.depth >= kMaxDepth) return e_.set_fault(Fault::TooDeep), false;
  const bool truncatable = link->flags & kTruncatable && link->base;
  const bool chunked = s_.chunk_level != 0 || truncatable || link->flags & kCustom;
  // A receiver that passes over a part that it does not know does not know the types of the places in it either.
  const bool known_type = same_type(*link, formal) && s_.chunk_level == 0 && !s_.names_types;
  const std::uint32_t how = known_type ? kNoType : truncatable ? kIdList : kOneId;
  if (s_.chunk_level != 0) close_chunk();
  e_.align(4);
  known->second = position();
  e_.put_ulong(kFirstValueTag | how | (chunked ? kChunked : 0));
  type_info(*link, how);
  ++s_.depth;
  if (chunked) {
    ++s_.chunk_level;
    open_chunk();
  }
  open.value = v;
  open.chunked = chunked;
  if (link->flags & kCustom) {
    custom(*v);
    end(open);
    return false;
  }
  levels_.open(open, *link);
  return true;
}

[[gnu::noinline]] void ValueWriter::end(const Open& open) {
  if (open.chunked) end_chunks();
  --s_.depth;
}

bool ValueWriter::begin_level(Open& open) {
  open.begun = true;
  open.stop = {};
  if (open.level->state == 0) return true;
  open.state = open.value->_callis_state(*open.level);
  if (!open.state) return e_.set_fault(Fault::BadValue), false;
  open.plan = plan_of(*open.level);
  if (!open.plan) e_.set_fault(Fault::OutOfMemory);
  return open.plan != nullptr;
}

// Goes on to the next value that is a member. False: there is none, or a fault.
[[gnu::noinline]] bool ValueWriter::next_member(Open& open) {
  while (e_.fault() == Fault::None) {
    if (!open.begun && !begin_level(open)) return false;
    if (open.level->state != 0 && marshal::encode_to_value(*open.plan, open.state, e_, open.stop)) return true;
    if (!levels_.next(open)) return false;
  }
  return false;
}

[[gnu::noinline]] void ValueWriter::custom(CORBA::ValueBase& v) {
  auto* const itself = dynamic_cast<CORBA::CustomMarshal*>(&v);
  if (!itself) return e_.set_fault(Fault::BadValue);
  try {
    CustomOutput stream(e_);
    itself->marshal(&stream);
  } catch (const std::bad_alloc&) {
    e_.set_fault(Fault::OutOfMemory);
  } catch (...) {
    e_.set_fault(Fault::Rejected);
  }
}

// A chunk is open wherever the state of a chunked value is written; nested values stand between chunks, null values
// and indirections within (9.3.4.6).
void ValueWriter::open_chunk() {
  e_.put_ulong(0);
  s_.chunk_at = e_.position() - 4;
}

void ValueWriter::close_chunk() {
  const std::size_t n = e_.position() - s_.chunk_at - 4;
  if (n == 0) return e_.rewind(s_.chunk_at);
  if (n >= kFirstValueTag) return e_.set_fault(Fault::LimitExceeded);
  e_.patch_ulong(s_.chunk_at, static_cast<std::uint32_t>(n));
}

// One tag ends all values that end here: that of the innermost becomes the outermost's.
void ValueWriter::end_chunks() {
  close_chunk();
  const auto tag = static_cast<std::uint32_t>(-static_cast<std::int64_t>(s_.chunk_level));
  if (e_.position() == s_.end_tag_end) {
    e_.patch_ulong(s_.end_tag_end - 4, tag);
  } else {
    e_.put_ulong(tag);
    s_.end_tag_end = e_.position();
  }
  if (--s_.chunk_level != 0) open_chunk();
}

}  // namespace

void put_value(cdr::Encoder& encoder, CORBA::ValueBase* value, const ValueLink* formal) {
  if (encoder.fault() != Fault::None) return;
  try {
    const EncodeScope scope(encoder);
    ValueWriter(encoder, *static_cast<Writer*>(encoder.values())).value(value, formal);
  } catch (...) {
    encoder.set_fault(Fault::OutOfMemory);
  }
}

EncodeScope::EncodeScope(cdr::Encoder& encoder) : encoder_(encoder) {
  if (!encoder.values()) encoder.set_values(own_ = new Writer);
}

EncodeScope::~EncodeScope() {
  if (!own_) return;
  delete static_cast<Writer*>(own_);
  encoder_.set_values(nullptr);
}

}  // namespace callis::value
