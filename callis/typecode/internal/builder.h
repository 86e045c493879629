// SPDX-License-Identifier: Apache-2.0
// Builder: makes a table at run time, entry by entry; cells may be named before their entries exist.
// May throw bad_alloc.
#pragma once
#include <callis/typecode/internal/view.h>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace callis::typecode {

class Builder {
 public:
  Builder() : pool_(1, '\0') {}
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;
  ~Builder();

  // A cell whose words come later, by fill(): types may lead back to it meanwhile.
  Word reserve(Word kind) {
    cells_.push_back({kEmpty, kind});
    return cell(static_cast<Word>(cells_.size() - 1));
  }
  void fill(Word type_word, std::span<const Word> words) {
    cells_[type_word >> 2].at = static_cast<Word>(words_.size());
    words_.insert(words_.end(), words.begin(), words.end());
  }
  Word add(std::initializer_list<Word> words) {
    const Word type = reserve(*words.begin() & 0xff);
    fill(type, {words.begin(), words.size()});
    return type;
  }

  // The offset of a text, which must hold no NUL; "" is 0.
  Word text(std::string_view s);
  // Texts one after the other: the offset of the first.
  Word texts_begin() { return static_cast<Word>(pool_.size()); }
  void texts_add(std::string_view s);
  Word link(const void* l);
  // A type of another table: the cell that this table has for it, or a count of it is kept.
  Word use(const TypeCode& t);

  // TCKind or kRecursive.
  Word kind(Word type_word) const;
  // The words of a cell of this table that has been filled.
  const Word* entry_of(Word type_word) const { return words_.data() + cells_[type_word >> 2].at; }
  // Behind aliases, as far as these have been filled.
  Word resolved(Word type_word) const;
  // The View of a type of another table.
  View outside(Word type_word) const {
    return View((type_word & 3) == 0 ? *basic_type(type_word >> 2) : *others_[type_word >> 2]);
  }

  // What finish() will allocate, about.
  std::size_t bytes() const {
    return sizeof(Table) + cells_.size() * sizeof(TypeCode) + words_.size() * sizeof(Word) + pool_.size() +
           2 * sizeof(void*) * others_.size() + sizeof(void*) * links_.size();
  }
  // The TypeCode of a type word, with a count for the caller. The builder is empty afterwards. nullptr when memory is
  // exhausted.
  TypeCode_ptr finish(Word root);

 private:
  static constexpr Word kEmpty = 0xffffffff;
  struct Cell {
    Word at, kind;
  };
  std::vector<Cell> cells_;
  std::vector<Word> words_;
  std::string pool_;
  std::map<std::string, Word, std::less<>> texts_;
  std::vector<const void*> links_;
  std::vector<TypeCode_ptr> others_;
  std::map<const TypeCode*, Word> known_;
};

// Copies types into a builder, deeply where they must be part of the new table.
class Copier {
 public:
  // compact: everything is copied, without names. Else what holds a recursive TypeCode that waits for its type.
  Copier(Builder& to, bool compact) : to_(to), compact_(compact) {}
  // From now on recursive TypeCodes of that id are this type.
  void resolve(const char* id, Word to) { targets_.push_back({id, to}); }
  Word operator()(const TypeCode& t);
  // An id or a name as it goes into the copy.
  Word name(const char* s) { return compact_ ? 0 : to_.text(s); }

 private:
  Word copy(const TypeCode& t);
  void members(const View& v, Word kind, std::vector<Word>& w);

  Builder& to_;
  const bool compact_;
  std::vector<std::pair<std::string, Word>> targets_;
  std::map<const TypeCode*, Word> done_;
};

// Whether a recursive TypeCode somewhere in it still waits for its type.
bool is_incomplete(const TypeCode& t);

}  // namespace callis::typecode
