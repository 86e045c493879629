// SPDX-License-Identifier: Apache-2.0
// Arguments and results from one frame to the other within a process.
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
const std::byte* part(const void* frame, std::uint32_t offset) {
  return static_cast<const std::byte*>(frame) + offset;
}
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
    const bool given_away = (way == Way::Out && s.what == What::Sequence) ||
                            (way == Way::Result && (s.what == What::Sequence || s.what == What::Array));
    s.way = way;
    s.client = static_cast<std::uint32_t>(client.add(s.is_scalar() ? own : kPointer));
    s.server = static_cast<std::uint32_t>(server.add(given_away ? kPointer : own));
    s.size = s.what == What::Enum ? payload_of(type) : static_cast<std::uint32_t>(own.size);
    return true;
  }

  static const Crossing* build(const Unit& unit, Word op) {
    const OperationView view(unit, op);
    if (view.compiled()) return kNoCrossing;
    const Word n = view.parameter_count();
    const std::size_t most = n + 1;
    void* const memory =
        ::operator new(sizeof(Crossing) + most * (2 * sizeof(Crossing::Move) + sizeof(Crossing::Step)), std::nothrow);
    if (!memory) return nullptr;
    Crossing* const made = new (memory) Crossing;
    made->out_ = made->in_ + most;
    made->steps_ = reinterpret_cast<Crossing::Step*>(made->out_ + most);
    CrossingBuilder b{unit, {}, {}};
    bool good = true;
    for (Word i = 0; good && i < n; ++i) {
      const Direction d = direction_of(view.parameter(i));
      const Way way = d == Direction::In ? Way::In : d == Direction::Out ? Way::Out : Way::InOut;
      good = b.add(view.parameter(i) & ~(3u << 6), way, made->steps_[made->count_++]);
    }
    if (good && kind_of(view.result()) != Kind::Void)
      good = b.add(view.result(), Way::Result, made->steps_[made->count_++]);
    if (good) {
      const Layout frame = b.server.finish();
      bool refuses = false, alike = true;
      for (std::uint32_t i = 0; i < made->count_; ++i) {
        const Crossing::Step& s = made->steps_[i];
        made->add_moves(s);
        refuses |= s.what != What::Value && s.what != What::Behind;
        alike &= s.what == What::Value && s.client == s.server;
      }
      made->small_ =
          !refuses && frame.size <= Crossing::kSmallFrame && frame.alignment <= alignof(Crossing::SmallFrame);
      made->as_is_ = alike;
      return made;
    }
    ::operator delete(memory);
    return kNoCrossing;
  }
};

const Crossing* crossing_of(const Unit& unit, Word op, const OperationPlans& plans) {
  const Crossing* known = __atomic_load_n(&plans.state->crossing, __ATOMIC_ACQUIRE);
  if (!known) {
    const Crossing* const made = CrossingBuilder::build(unit, op);
    if (!made) return nullptr;
    if (__atomic_compare_exchange_n(&plans.state->crossing, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      known = made;
    else if (made != kNoCrossing) ::operator delete(const_cast<Crossing*>(made));
  }
  return known == kNoCrossing ? nullptr : known;
}

bool Crossing::same_as(const Crossing& other) const {
  if (count_ != other.count_) return false;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Step &a = steps_[i], &b = other.steps_[i];
    if (a.what != b.what || a.way != b.way || a.client != b.client || a.server != b.server || a.size != b.size)
      return false;
  }
  return true;
}

Crossing::How Crossing::how_to_move(std::uint32_t bytes) {
  switch (bytes) {
    case 1: return How::One;
    case 2: return How::Two;
    case 4: return How::Four;
    case 8: return How::Eight;
    default: return How::Bytes;
  }
}

void Crossing::add_moves(const Step& s) {
  const bool pointer = s.what == What::String || s.what == What::Sequence || s.what == What::Array;
  const std::uint32_t size = s.what == What::Enum ? sizeof(std::uint32_t) : s.size;
  if (s.way == Way::In || s.way == Way::InOut) {
    const bool behind = !s.is_scalar() && (s.way == Way::InOut || s.what == What::Behind || s.what == What::Sequence);
    const How how = s.what == What::String && s.way == Way::InOut ? How::CopyString : how_to_move(size);
    in_[ins_++] = {how, behind, s.client, s.server, size};
  }
  if (s.way != Way::In) {
    const bool behind = !s.is_scalar() && (s.way != Way::Result || s.what == What::Behind);
    const std::uint32_t bytes = pointer ? sizeof(void*) : size;
    out_[outs_++] = {s.what == What::String && behind ? How::ReplaceString : how_to_move(bytes), behind, s.client,
                     s.server, bytes};
  }
}

Fault Crossing::check_arguments(const void* client) const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Step& s = steps_[i];
    if (s.way != Way::In && s.way != Way::InOut) continue;
    const void* at = part(client, s.client);
    if (s.way == Way::InOut && !s.is_scalar()) at = load<const void*>(at);
    if (s.what == What::Enum && load<std::uint32_t>(at) >= s.size) return Fault::BadEnum;
    if (s.what == What::String && !load<const char*>(at)) return Fault::NullPointer;
  }
  return Fault::None;
}

Fault Crossing::copy_string(const Move& move, const void* from, void* server) const {
  char* const copy = string_duplicate(load<const char*>(from));
  store(part(server, move.server), copy);
  if (copy) return Fault::None;
  for (const Move* m = in_; m != &move; ++m)
    if (m->how == How::CopyString) string_free(load<char*>(part(server, m->server)));
  return Fault::OutOfMemory;
}

Fault Crossing::to_server(const void* client, void* server) const {
  if (const Fault f = check_arguments(client); f != Fault::None) return f;
  for (const Move *m = in_, *const end = in_ + ins_; m != end; ++m) {
    const void* const from = place(client, m->client, m->behind);
    if (m->how == How::CopyString) {
      if (const Fault f = copy_string(*m, from, server); f != Fault::None) return f;
    } else {
      move_bytes(*m, part(server, m->server), from);
    }
  }
  return Fault::None;
}

Fault Crossing::check_results(const void* server) const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Step& s = steps_[i];
    if (s.way == Way::In) continue;
    const void* const at = part(server, s.server);
    if (s.what == What::Enum && load<std::uint32_t>(at) >= s.size) return Fault::BadEnum;
    const bool pointer = s.what == What::Sequence || s.what == What::String || s.what == What::Array;
    if (pointer && !load<const void*>(at)) return Fault::NullPointer;
  }
  return Fault::None;
}

Fault Crossing::to_client(void* server, void* client) const {
  if (const Fault f = check_results(server); f != Fault::None) return f;
  for (const Move *m = out_, *const end = out_ + outs_; m != end; ++m) {
    void* const to = place(client, m->client, m->behind);
    if (m->how == How::ReplaceString) {
      string_free(load<char*>(to));
      std::memcpy(to, part(server, m->server), sizeof(void*));
    } else {
      move_bytes(*m, to, part(server, m->server));
    }
  }
  return Fault::None;
}

void Crossing::destroy(void* server) const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Step& s = steps_[i];
    if (s.way == Way::In || s.what == What::Value || s.what == What::Enum || s.what == What::Behind) continue;
    void* const owned = load<void*>(part(server, s.server));
    if (s.what == What::String) {
      string_free(static_cast<char*>(owned));
    } else if (owned) {
      if (s.what == What::Sequence) {
        const auto sequence = load<SequenceHeader>(owned);
        if (sequence.release) buffer_free(sequence.buffer);
      }
      value_free(owned);
    }
  }
}

}  // namespace callis::marshal
