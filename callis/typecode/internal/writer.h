// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <callis/cdr/encoder.h>
#include <callis/typecode/internal/view.h>
#include <map>
#include <string_view>
#include <vector>

namespace callis::typecode {

// Writes one outermost TypeCode. May throw bad_alloc.
class Writer {
 public:
  enum class Detail {
    All,
    Form,  // what descriptors need alone: no names, and repository ids only where they lead to a link
  };
  Writer(cdr::Encoder& to, Detail detail) : e_(to), all_(detail == Detail::All) {}
  void type(const TypeCode& t);

  // What types with links were met, by repository id; for Form.
  struct Linked {
    const char* id;
    const void* link;
  };
  const std::vector<Linked>& linked() const { return linked_; }
  // Kinds that were met, a bit each.
  std::uint64_t kinds() const { return kinds_; }

 private:
  void parameters(const View& v);
  void names(const View& v);
  void label(Word kind, std::uint64_t value);
  void text(const char* s) { e_.put_string(all_ ? s : ""); }

  cdr::Encoder& e_;
  const bool all_;
  std::map<const TypeCode*, std::size_t> written_;
  std::vector<Linked> linked_;
  std::uint64_t kinds_ = 0;
};

}  // namespace callis::typecode
