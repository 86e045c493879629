// SPDX-License-Identifier: Apache-2.0
// WordMap: values by words, several for the same key if need be, which the caller tells apart. Chains, so that keys
// that a peer has chosen to collide cost a step each, which is charged.
#pragma once
#include <callis/marshal/descriptor.h>
#include <callis/marshal/internal/array.h>

namespace callis::marshal {

class WordMap {
 public:
  static constexpr Word kNone = 0xffffffff;

  WordMap() = default;
  explicit WordMap(Work* work) { charge_to(work); }
  // The same as Array's function.
  void charge_to(Work* work) {
    heads_.charge_to(work);
    nodes_.charge_to(work);
    work_ = work;
  }

  // For few values, which are looked for one by one; not together with the functions below.
  void add(Word key, Word value) { nodes_.push_back({key, value, kNone}); }
  Word scan(Word key) const {
    for (const Node& n : nodes_)
      if (n.key == key) return n.value;
    return kNone;
  }

  void put(Word key, Word value);
  // The word that was put last with that key, or kNone.
  Word find(Word key) const {
    const Word at = first(key);
    return at == kNone ? kNone : value(at);
  }
  // The same as functions, for the Extension.
  static Word find_in(const WordMap& map, Word key);
  static void put_in(WordMap& map, Word key, Word value);
  // All with that key, the last first: places for value() and next(); kNone: there are no more.
  Word first(Word key) const;
  Word next(Word place) const { return matching(nodes_[place].next, nodes_[place].key); }
  Word value(Word place) const { return nodes_[place].value; }
  void set(Word place, Word value) { nodes_[place].value = value; }

 private:
  struct Node {
    Word key, value, next;
  };
  Word bucket(Word key) const {
    return static_cast<Word>((key * std::uint64_t{0x9e3779b97f4a7c15}) >> 32) & static_cast<Word>(heads_.size() - 1);
  }
  Word matching(Word place, Word key) const;
  void widen();

  Array<Word> heads_;  // as many as a power of two
  Array<Node> nodes_;
  Work* work_ = nullptr;
};

}  // namespace callis::marshal
