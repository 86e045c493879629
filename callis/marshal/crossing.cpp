// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/crossing.h>
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/memory.h>
#include <cstring>
#include <new>

namespace callis::marshal {

namespace {

template <class T>
T load(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
void store(void* at, T value) {
  std::memcpy(at, &value, sizeof value);
}
const std::byte* part(const void* frame, std::uint32_t offset) { return static_cast<const std::byte*>(frame) + offset; }
std::byte* part(void* frame, std::uint32_t offset) { return static_cast<std::byte*>(frame) + offset; }

bool is_primitive(Kind k) { return (run_size(k) != 0 && k != Kind::Enum) || k == Kind::LongDouble; }

// Made of primitives alone.
bool is_flat(const Unit& unit, Word type) {
  const Resolved r = resolve(unit, type);
  const Word* entry = unit.words + r.entry;
  switch (r.kind) {
    case Kind::Array: return is_flat(unit, entry[2]);
    case Kind::Struct:
      for (Word i = 0; i < r.payload; ++i)
        if (!is_flat(unit, entry[1 + i])) return false;
      return true;
    default: return is_primitive(r.kind);
  }
}

const Crossing* const kNone = reinterpret_cast<const Crossing*>(std::uintptr_t{1});

}  // namespace

struct CrossingBuilder {
  using What = Crossing::What;
  using Way = Crossing::Way;
  const Unit& unit;
  StructLayout client, server;

  static constexpr Layout kPointer{sizeof(void*), alignof(void*)};

  bool what_is(Word type, Way way, What& what) const {
    const Resolved r = resolve(unit, type);
    const Word* entry = unit.words + r.entry;
    switch (r.kind) {
      case Kind::Enum: what = What::Enum; return true;
      case Kind::String: what = What::String; return r.payload == 0;
      case Kind::Sequence:
        what = What::Sequence;
        return entry[1] == 0 && way != Way::InOut && is_primitive(resolve(unit, entry[2]).kind);
      case Kind::Array: what = way == Way::Result ? What::Array : What::Behind; return is_flat(unit, type);
      case Kind::Struct: what = What::Behind; return is_flat(unit, type);
      default: what = What::Value; return is_primitive(r.kind);
    }
  }
  // The slots as plan.h lays them out.
  bool add(Word type, Way way, Crossing::Step& s) {
    if (!what_is(type, way, s.what)) return false;
    const Layout own = layout_of(unit, type);
    const bool scalar = s.what == What::Value || s.what == What::Enum;
    const bool given_away = (way == Way::Out && s.what == What::Sequence) ||
                            (way == Way::Result && (s.what == What::Sequence || s.what == What::Array));
    s.way = way;
    s.client = static_cast<std::uint32_t>(client.add(scalar && (way == Way::In || way == Way::Result) ? own : kPointer));
    s.server = static_cast<std::uint32_t>(server.add(given_away ? kPointer : own));
    s.size = s.what == What::Enum ? payload_of(type) : static_cast<std::uint32_t>(own.size);
    return true;
  }

  static const Crossing* build(const Unit& unit, Word op) {
    const OperationView view(unit, op);
    if (view.compiled()) return kNone;
    const Word n = view.parameter_count();
    void* const memory = ::operator new(sizeof(Crossing) + n * sizeof(Crossing::Step), std::nothrow);
    if (!memory) return nullptr;
    Crossing* const made = new (memory) Crossing;
    CrossingBuilder b{unit, {}, {}};
    bool good = true;
    for (Word i = 0; good && i < n; ++i) {
      const Direction d = direction_of(view.parameter(i));
      const Way way = d == Direction::In ? Way::In : d == Direction::Out ? Way::Out : Way::InOut;
      good = b.add(view.parameter(i) & ~(3u << 6), way, made->steps_[made->count_++]);
    }
    if (good && kind_of(view.result()) != Kind::Void) good = b.add(view.result(), Way::Result, made->steps_[made->count_++]);
    if (good) return made;
    ::operator delete(memory);
    return kNone;
  }
};

const Crossing* crossing_of(const Unit& unit, Word op, const OperationPlans& plans) {
  const Crossing* known = __atomic_load_n(&plans.crossing, __ATOMIC_ACQUIRE);
  if (!known) {
    const Crossing* const made = CrossingBuilder::build(unit, op);
    if (!made) return nullptr;
    if (__atomic_compare_exchange_n(&plans.crossing, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) known = made;
    else if (made != kNone) ::operator delete(const_cast<Crossing*>(made));
  }
  return known == kNone ? nullptr : known;
}

bool Crossing::same_as(const Crossing& other) const {
  if (count_ != other.count_) return false;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Step &a = steps_[i], &b = other.steps_[i];
    if (a.what != b.what || a.way != b.way || a.client != b.client || a.server != b.server || a.size != b.size) return false;
  }
  return true;
}

Fault Crossing::to_server(const void* client, void* server) const {
  // First what can be refused.
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Step& s = steps_[i];
    if (s.way != Way::In && s.way != Way::InOut) continue;
    const void* at = part(client, s.client);
    if (s.way == Way::InOut || s.what == What::Behind || s.what == What::Sequence) at = load<const void*>(at);
    if (s.what == What::Enum && load<std::uint32_t>(at) >= s.size) return Fault::BadEnum;
    if (s.what == What::String && !load<const char*>(at)) return Fault::NullPointer;
  }
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Step& s = steps_[i];
    if (s.way != Way::In && s.way != Way::InOut) continue;
    const void* at = part(client, s.client);
    if (s.way == Way::InOut || s.what == What::Behind || s.what == What::Sequence) at = load<const void*>(at);
    void* const to = part(server, s.server);
    if (s.what == What::Enum) {
      std::memcpy(to, at, sizeof(std::uint32_t));
    } else if (s.what == What::String && s.way == Way::InOut) {
      char* const copy = string_duplicate(load<const char*>(at));
      if (!copy) {
        for (std::uint32_t k = 0; k < i; ++k)
          if (steps_[k].what == What::String && steps_[k].way == Way::InOut)
            string_free(load<char*>(part(server, steps_[k].server)));
        return Fault::OutOfMemory;
      }
      store(to, copy);
    } else {
      std::memcpy(to, at, s.size);
    }
  }
  return Fault::None;
}

Fault Crossing::check(const Step& s, const void* server) const {
  const void* const at = part(server, s.server);
  switch (s.what) {
    case What::Enum: return load<std::uint32_t>(at) < s.size ? Fault::None : Fault::BadEnum;
    case What::Sequence: case What::String: case What::Array:
      return load<const void*>(at) ? Fault::None : Fault::NullPointer;
    case What::Value: case What::Behind: break;
  }
  return Fault::None;
}

Fault Crossing::to_client(void* server, void* client) const {
  for (std::uint32_t i = 0; i < count_; ++i)
    if (steps_[i].way != Way::In)
      if (const Fault f = check(steps_[i], server); f != Fault::None) return f;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Step& s = steps_[i];
    if (s.way == Way::In) continue;
    const void* const from = part(server, s.server);
    void* to = part(client, s.client);
    const bool in_slot = s.way == Way::Result && s.what != What::Behind;
    if (!in_slot) to = load<void*>(to);
    switch (s.what) {
      case What::Value: case What::Behind: std::memcpy(to, from, s.size); break;
      case What::Enum: std::memcpy(to, from, sizeof(std::uint32_t)); break;
      case What::String:
        if (!in_slot) string_free(load<char*>(to));
        [[fallthrough]];
      case What::Sequence: case What::Array: std::memcpy(to, from, sizeof(void*)); break;
    }
  }
  return Fault::None;
}

}  // namespace callis::marshal
