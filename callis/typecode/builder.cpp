// SPDX-License-Identifier: Apache-2.0
// The words of a TypeCode that is made at run time.
#include <callis/typecode/internal/builder.h>
#include <cstring>
#include <new>
#include <set>

namespace callis::typecode {

Builder::~Builder() {
  for (TypeCode_ptr t : others_) CORBA::release(t);
}

Word Builder::text(std::string_view s) {
  if (s.empty()) return 0;
  const auto known = texts_.find(s);
  if (known != texts_.end()) return known->second;
  const auto at = static_cast<Word>(pool_.size());
  pool_.append(s);
  pool_ += '\0';
  texts_.emplace(s, at);
  return at;
}

void Builder::texts_add(std::string_view s) {
  pool_.append(s);
  pool_ += '\0';
}

Word Builder::link(const void* l) {
  if (!l) return kNoLink;
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i] == l) return static_cast<Word>(i);
  links_.push_back(l);
  return static_cast<Word>(links_.size() - 1);
}

Word Builder::use(const TypeCode& t) {
  const Word kind = View(t).kind();
  if (kind <= CORBA::tk_abstract_interface && &t == basic_type(kind)) return basic(static_cast<CORBA::TCKind>(kind));
  const auto known = known_.find(&t);
  if (known != known_.end()) return known->second;
  const Word w = other(static_cast<Word>(others_.size()));
  others_.push_back(counted(t));
  return known_[&t] = w;
}

Word Builder::kind(Word type_word) const {
  return (type_word & 3) == 1 ? cells_[type_word >> 2].kind : outside(type_word).kind();
}

Word Builder::resolved(Word type_word) const {
  while ((type_word & 3) == 1 && cells_[type_word >> 2].kind == CORBA::tk_alias &&
         cells_[type_word >> 2].at != kEmpty)
    type_word = entry_of(type_word)[3];
  return type_word;
}

TypeCode_ptr Builder::finish(Word root) {
  if ((root & 3) == 0) return basic_type(root >> 2);
  if ((root & 3) == 2) return counted(*others_[root >> 2]);
  // Table, cells, others, their addresses, links, words, characters.
  const std::size_t cells = sizeof(Table), others = cells + cells_.size() * sizeof(TypeCode);
  const std::size_t addresses = others + others_.size() * sizeof(TypeCode_ptr);
  const std::size_t links = addresses + others_.size() * sizeof(void*);
  const std::size_t words_at = links + links_.size() * sizeof(void*);
  const std::size_t pool = words_at + words_.size() * sizeof(Word);
  char* const m = static_cast<char*>(::operator new(pool + pool_.size(), std::nothrow));
  if (!m) return nullptr;
  auto* const kept = reinterpret_cast<TypeCode_ptr*>(m + others);
  auto* const at = reinterpret_cast<const TypeCode_ptr**>(m + addresses);
  for (std::size_t i = 0; i < others_.size(); ++i) {
    kept[i] = others_[i];
    at[i] = kept + i;
  }
  if (!links_.empty()) std::memcpy(m + links, links_.data(), links_.size() * sizeof(void*));
  std::memcpy(m + words_at, words_.data(), words_.size() * sizeof(Word));
  std::memcpy(m + pool, pool_.data(), pool_.size());
  auto* const table = new (m) Table{reinterpret_cast<Word*>(m + words_at),
                                    m + pool,
                                    links_.empty() ? nullptr : reinterpret_cast<const void* const*>(m + links),
                                    at,
                                    {1},
                                    static_cast<Word>(cells_.size())};
  auto* const types = reinterpret_cast<TypeCode*>(table + 1);
  for (std::size_t i = 0; i < cells_.size(); ++i) new (types + i) TypeCode(cells_[i].at, static_cast<Word>(i));
  // They are the table's now.
  others_.clear();
  return types + (root >> 2);
}

namespace {

bool find_incomplete(const TypeCode& t, std::set<const TypeCode*>& seen) {
  const View v(t);
  const Word kind = v.kind();
  if (kind == kRecursive) return true;
  if (t.callis_table().count.load(std::memory_order_relaxed) == Table::kStatic || !seen.insert(&t).second)
    return false;
  if (has_content(kind)) return find_incomplete(v.content(), seen);
  if (kind == CORBA::tk_enum || !has_members(kind)) return false;
  if (kind == CORBA::tk_union && find_incomplete(v.discriminator(), seen)) return true;
  if (is_value_kind(kind) && v.base() && find_incomplete(*v.base(), seen)) return true;
  for (Word i = 0; i < v.count(); ++i)
    if (find_incomplete(v.member_type(i), seen)) return true;
  return false;
}

}  // namespace

bool is_incomplete(const TypeCode& t) {
  std::set<const TypeCode*> seen;
  return find_incomplete(t, seen);
}

Word Copier::operator()(const TypeCode& t) {
  const auto known = done_.find(&t);
  if (known != done_.end()) return known->second;
  if (!compact_ && !is_incomplete(t)) return to_.use(t);
  const Word kind = View(t).kind();
  if (kind <= CORBA::tk_abstract_interface && &t == basic_type(kind)) return basic(static_cast<CORBA::TCKind>(kind));
  return copy(t);
}

Word Copier::copy(const TypeCode& t) {
  const View v(t);
  const Word kind = v.kind();
  if (kind == kRecursive) {
    for (const auto& [id, target] : targets_)
      if (id == v.id()) return done_[&t] = target;
    return done_[&t] = to_.add({kRecursive, to_.text(v.id())});
  }
  const Word self = done_[&t] = to_.reserve(kind);
  std::vector<Word> w{kind};
  if (has_id(kind)) {
    w[0] |= to_.link(v.link()) << 8;
    w.push_back(to_.text(v.id()));
    w.push_back(name(v.name()));
  } else {
    w.push_back(kind == CORBA::tk_fixed ? v.digits() | v.scale() << 16 : v.length());
  }
  if (has_content(kind)) w.push_back((*this)(v.content()));
  if (has_members(kind)) members(v, kind, w);
  to_.fill(self, w);
  return self;
}

void Copier::members(const View& v, Word kind, std::vector<Word>& w) {
  const Word n = v.count();
  w.push_back(n);
  if (kind == CORBA::tk_enum) {
    w.push_back(to_.texts_begin());
    const char* each = n ? v.member_name(0) : "";
    for (Word i = 0; i < n; ++i, each += std::strlen(each) + 1) to_.texts_add(compact_ ? "" : each);
    return;
  }
  if (kind == CORBA::tk_union) {
    w.push_back((*this)(v.discriminator()));
    w.push_back(v.default_index());
  } else if (is_value_kind(kind)) {
    w.push_back(v.modifier());
    w.push_back(v.base() ? (*this)(*v.base()) : basic(CORBA::tk_null));
  }
  for (Word i = 0; i < n; ++i) {
    w.push_back(name(v.member_name(i)));
    w.push_back((*this)(v.member_type(i)));
    if (kind == CORBA::tk_union) {
      w.push_back(static_cast<Word>(v.label(i)));
      w.push_back(static_cast<Word>(v.label(i) >> 32));
    } else if (is_value_kind(kind)) {
      w.push_back(v.visibility(i));
    }
  }
}

}  // namespace callis::typecode
