// SPDX-License-Identifier: Apache-2.0
// What is remembered of the values of one message while they are written or read: a scope hangs on
// cdr::Encoder::values() or cdr::Decoder::values().
//
// Positions count bytes, so that differences between them are what indirections say. A Writer's count from the
// buffer's start; a Reader's are those that had not been read when the scope began minus those that have not now.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/marshal/handlers.h>
#include <callis/value/internal/described_value.h>
#include <callis/value/value_base.h>
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace callis::value {

inline constexpr std::uint32_t kNullTag = 0;
inline constexpr std::uint32_t kIndirectionTag = 0xffffffff;
inline constexpr std::uint32_t kFirstValueTag = 0x7fffff00;
inline constexpr std::uint32_t kLastValueTag = 0x7fffffff;
// Bits of a value's tag.
inline constexpr std::uint32_t kHasCodebase = 1;
inline constexpr std::uint32_t kTypeBits = 6, kNoType = 0, kOneId = 2, kIdList = 6;
inline constexpr std::uint32_t kChunked = 8;
inline constexpr std::uint32_t kReservedBits = 0xf0;

struct Writer {
  std::unordered_map<const CORBA::ValueBase*, std::size_t> values;
  std::unordered_map<std::string, std::size_t> ids;
  std::unordered_map<const ValueLink*, std::size_t> id_lists;
  std::size_t gathered = 0;       // bytes before this that are not in the buffer
  std::uint32_t depth = 0;
  std::uint32_t nested = 0;       // calls within each other, each with a part of the stack
  std::uint32_t chunk_level = 0;  // of chunked values around; 0: data goes as it is
  std::size_t chunk_at = 0;       // of the size of the chunk that is open
  std::size_t end_tag_end = 0;    // behind the last end tag
  bool names_types = false;       // values go with their type ids, also where the place says their type
};

using Ids = std::vector<std::string>;

struct Reader {
  Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() {
    if (has_abandoned) empty_abandoned();
    if (described) described->let_go();
    if (attachment.object) attachment.drop(attachment.object);
  }

  // Counts on how deep values nest: what is read with this stands within what is read with the other.
  void nest_in(const Reader& around) {
    depth = around.depth;
    nested = around.nested;
  }
  // A value that has begun at that position. Throws std::bad_alloc.
  void add(std::size_t position, const CORBA::ValueBase_var& value) {
    if (described_around == 0) return values.push_back({position, value});
    if (value.in()) described->add(value);
    described_values.push_back({position, value.in()});
  }
  // The one whose tag is at that position; nullptr for none.
  CORBA::ValueBase* find_described(std::size_t position) const {
    const auto at = std::lower_bound(described_values.begin(), described_values.end(), position,
                                     [](const DescribedAt& k, std::size_t p) { return k.position < p; });
    return at != described_values.end() && at->position == position ? at->value : nullptr;
  }
  // All that was read belongs to nobody: values that hold each other let go.
  void empty_all() noexcept;
  // As those of marshal/handlers.h. What has been abandoned is emptied in the end, when it is certain to what of it
  // somebody is led back.
  marshal::ScopeMark mark() const {
    return {static_cast<std::uint32_t>(values.size()), static_cast<std::uint32_t>(led_to.size()),
            static_cast<std::uint32_t>(described_values.size())};
  }
  void abandon(marshal::ScopeMark since) noexcept;
  // Somebody is led back to the abandoned one at that place in `values`. Throws std::bad_alloc.
  void lead_to(std::size_t at);
  // Empties the values that have begun since then, and forgets them.
  void forget(marshal::ScopeMark since) noexcept;

  // Before the first value is read, once or more often.
  void begin(const cdr::Decoder& d) {
    if (began == 0) began = d.remaining();
  }
  std::size_t position(const cdr::Decoder& d) const { return began - d.remaining(); }

  void empty_abandoned() noexcept;
  void drop_led_to(std::size_t from) noexcept;

  // The place in `values` of the one whose tag is at that position; kNone for none.
  static constexpr std::size_t kNone = SIZE_MAX;
  std::size_t find(std::size_t position) const {
    const auto at = std::lower_bound(values.begin(), values.end(), position,
                                     [](const Known& k, std::size_t p) { return k.position < p; });
    return at != values.end() && at->position == position ? static_cast<std::size_t>(at - values.begin()) : kNone;
  }

  struct Known {
    std::size_t position;        // of its tag
    CORBA::ValueBase_var value;  // nil: passed over
    bool abandoned = false;
    bool is_led_to = false;      // it stands in `led_to`
  };
  std::vector<Known> values;  // as they began, so in the order of their positions
  std::vector<std::uint32_t> led_to;  // places in `values`: abandoned ones that somebody is led back to
  bool has_abandoned = false;
  // What is read while an any's values are made of a description (marshal/handlers.h): at other positions than
  // `values`, or at those of some that were abandoned. What is read as usual never meets these.
  struct DescribedAt {
    std::size_t position;
    CORBA::ValueBase* value;  // counted by `described`
  };
  std::vector<DescribedAt> described_values;  // in the order of their positions
  std::shared_ptr<DescribedValues> described;  // nullptr while there are none
  const marshal::Description* types = nullptr;  // nullptr: values are made by factories alone
  std::uint32_t described_around = 0;  // anys around that are read so
  // By position. Not hashed: a peer could choose positions that collide.
  std::map<std::size_t, std::string> ids;  // also codebase URLs
  std::map<std::size_t, Ids> id_lists;
  std::size_t began = 0;
  std::uint32_t depth = 0;
  std::uint32_t nested = 0;  // calls within each other, as in Writer
  std::uint32_t chunk_level = 0;
  marshal::ScopeAttachment attachment;
  std::uint32_t ended_level = 0;  // values down to this level ended with the innermost; 0: none but itself
};

// The plan of a level's state, made when it is asked for first; nullptr when memory is exhausted.
const marshal::Plan* plan_of(const ValueLink& link);

// Lets go of the values, abstract interfaces and anys in the states of a value; null values and empty anys are there
// then.
void empty(CORBA::ValueBase& value) noexcept;

// Those of marshal/handlers.h.
bool begin_described(void* scope, const marshal::Description& types, void* type, void (*drop)(void*) noexcept,
                     const marshal::Description*& before) noexcept;
void end_described(void* scope, const marshal::Description* before) noexcept;
bool reads_described(const void* scope, bool& truncates) noexcept;
void* keep_described(void* scope) noexcept;
void drop_described(void* held) noexcept;

// Whether the link says what type it is and no more.
inline bool same_type(const ValueLink& a, const ValueLink* b) {
  return b && (&a == b || std::string_view(a.repository_id) == b->repository_id);
}

}  // namespace callis::value
