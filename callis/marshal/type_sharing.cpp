// SPDX-License-Identifier: Apache-2.0
// Senders may repeat a type instead of leading back to it. Equal types share one entry, so that the plan equals the
// compiler's, and is no larger than needed.
//
// Entries are compared by their words, in which equal types are equal words already: one look-up for each entry.
// Types that contain themselves differ in words that lead to the entry itself. At its end, the outermost type of such
// a cycle is compared with entries that begin alike. The comparison supposes that pairs under comparison are equal.
#include <callis/marshal/internal/type_reader.h>

namespace callis::marshal {

namespace {

Word hash_of(const Word* words, Word n, std::string_view id) {
  std::uint64_t h = n;
  const auto mix = [&h](std::uint64_t w) {
    h = (h ^ w) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  };
  for (Word i = 0; i < n; ++i) mix(words[i]);
  for (const char c : id) mix(static_cast<unsigned char>(c));
  return static_cast<Word>(h >> 16);
}

}  // namespace

Word TypeReader::add_words(std::size_t n) {
  auto& w = t_.words_;
  if (w.size() + n > w.capacity()) {
    const std::size_t before = w.capacity(), room = std::max(w.size() + n, 2 * before);
    work_.take(room * sizeof(Word));
    w.reserve(room);
    work_.give(before * sizeof(Word));
  }
  w.resize(w.size() + n);
  return static_cast<Word>(w.size() - n);
}

Word TypeReader::entry(std::initializer_list<Word> list) {
  const Word place = add_words(list.size());
  std::copy(list.begin(), list.end(), words(place));
  const Word out = shared(place, static_cast<Word>(list.size()), {});
  if (payload_of(out) != place) t_.words_.resize(place);
  return out;
}

TypeReader::Frame TypeReader::begin(Word head, std::size_t n, Word at) {
  const Frame f{add_words(n), open_.size(), std::exchange(lowest_, kClosed)};
  *words(f.place) = head;
  set_known(at, type_word(Kind::Ref, f.place));
  open_.push_back(f.place);
  return f;
}

Word TypeReader::finish(const Frame& f, std::string_view id, Word length) {
  open_.pop_back();
  Word out = shared(f.place, length, id);
  if (lowest_ != kClosed) {
    in_cycle_.put(f.place, lowest_ < f.depth ? open_[lowest_] : f.place);
    if (lowest_ == f.depth) {  // the cycle ends here
      if (payload_of(out) == f.place) out = same_cycle(f.place, id);
      lowest_ = kClosed;
    }
  }
  lowest_ = std::min(lowest_, f.lowest);
  return out;
}

// The entry of the same words and repository id.
Word TypeReader::shared(Word place, Word length, std::string_view id) {
  work_.step(1 + (length + id.size()) / 16);
  const Word* const own = words(place);
  const Word key = hash_of(own, length, id);
  for (Word at = by_words_.first(key); at != WordMap::kNone; at = by_words_.next(at)) {
    const Entry& e = entries_[by_words_.value(at)];
    work_.step(1 + length / 16);
    if (e.length == length && e.id == id && std::equal(own, own + length, words(e.place)))
      return type_word(Kind::Ref, e.place);
  }
  by_words_.put(key, static_cast<Word>(entries_.size()));
  entries_.push_back({place, length, id});
  return type_word(Kind::Ref, place);
}

// The cycle that is the same, if there has been one: a few are looked at.
Word TypeReader::same_cycle(Word place, std::string_view id) {
  const Word ref = type_word(Kind::Ref, place), key = hash_of(words(place), 1, id);
  int looks = 4;
  for (Word at = cycles_.first(key); at != WordMap::kNone && looks != 0; at = cycles_.next(at), --looks) {
    const Entry& known = entries_[cycles_.value(at)];
    WordMap by_pair(&work_);
    Array<std::pair<Word, Word>> supposed(&work_);
    if (known.id == id && same(type_word(Kind::Ref, known.place), ref, by_pair, supposed))
      return type_word(Kind::Ref, known.place);
  }
  cycles_.put(key, static_cast<Word>(entries_.size() - 1));  // finish() has just added it
  return ref;
}

// Whether two types are the same. Pairs under comparison are supposed to be.
bool TypeReader::same(Word a, Word b, WordMap& by_pair, Array<std::pair<Word, Word>>& supposed) {
  work_.step();
  if (a == b) return true;
  if (kind_of(a) != Kind::Ref || kind_of(b) != Kind::Ref) return false;
  const Word *x = words(payload_of(a)), *y = words(payload_of(b));
  if (*x != *y) return false;
  if (kind_of(*x) == Kind::Array) return x[1] == y[1] && same(x[2], y[2], by_pair, supposed);
  // Others that are the same have one entry.
  if (in_cycle_.find(payload_of(a)) == WordMap::kNone || in_cycle_.find(payload_of(b)) == WordMap::kNone)
    return false;
  const Word key = a * 31 + b;
  for (Word at = by_pair.first(key); at != WordMap::kNone; at = by_pair.next(at))
    if (supposed[by_pair.value(at)] == std::pair(a, b)) return true;
  by_pair.put(key, static_cast<Word>(supposed.size()));
  supposed.push_back({a, b});
  Word first = 1, members = payload_of(*x);
  if (kind_of(*x) == Kind::Union) {
    first = 4;
    const std::size_t labels = std::size_t{3} * x[3];
    work_.step(labels / 4);
    if (x[1] != y[1] || x[2] != y[2] || x[3] != y[3] ||
        !std::equal(x + first + members, x + first + members + labels, y + first + members))
      return false;
  } else if (kind_of(*x) == Kind::Sequence) {
    if (x[1] != y[1]) return false;
    first = 2, members = 1;
  }
  for (Word i = 0; i < members; ++i)
    if (!same(x[first + i], y[first + i], by_pair, supposed)) return false;
  return true;
}

// The place's index in open_, or kClosed.
std::size_t TypeReader::where_open(Word place) const {
  for (std::size_t i = 0; i < open_.size(); ++i)
    if (open_[i] == place) return i;
  return kClosed;
}

// Notes that the type being read contains the entry at that place.
void TypeReader::lead_back(Word place) {
  std::size_t where = where_open(place);
  while (where == kClosed) {
    work_.step();
    const Word to = in_cycle_.find(place);
    if (to == WordMap::kNone || to == place) return;
    where = where_open(place = to);
  }
  lowest_ = std::min(lowest_, where);
}

}  // namespace callis::marshal
