// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <callis/cdr/encoder.h>
#include <callis/marshal/plan.h>
#include <callis/marshal/work.h>
#include <callis/typecode/internal/view.h>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace callis::typecode {

class Described;

// Writes one outermost TypeCode. May throw bad_alloc.
class Writer {
 public:
  enum class Detail {
    All,
    Form,  // what descriptors need alone: no names, and repository ids only where they lead to a link
  };
  // described: gets the values without links, for Form. work: what writing is charged to, for Form; given back, but
  // for what has been written.
  Writer(cdr::Encoder& to, Detail detail, Described* described = nullptr, marshal::Work* work = nullptr)
      : e_(to), all_(detail == Detail::All), described_(described), work_(work) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    if (work_) work_->give(taken_);
  }
  void type(const TypeCode& t);
  // For Form: the members of a value, those of its base not, or what a box has, as a struct.
  void state(const View& v);

  // What types with links were met, by repository id; for Form.
  struct Linked {
    const char* id;
    const void* link;
  };
  const std::vector<Linked>& linked() const { return linked_; }
  // Kinds that were met, a bit each.
  std::uint64_t kinds() const { return kinds_; }

 private:
  void parameters(const View& v, const TypeCode& t);
  void names(const View& v, const TypeCode& t);
  void label(Word kind, std::uint64_t value);
  void text(const char* s) { e_.put_string(all_ ? s : ""); }
  void take(std::size_t bytes) {
    if (!work_) return;
    work_->take(bytes);
    taken_ += bytes;
  }

  cdr::Encoder& e_;
  const bool all_;
  Described* const described_;
  marshal::Work* const work_;
  std::size_t taken_ = 0;
  std::map<const TypeCode*, std::size_t> written_;
  std::vector<Linked> linked_;
  std::uint64_t kinds_ = 0;
};

// The plan of what a Writer wrote as Form. nullptr and a fault.
std::shared_ptr<const marshal::Plan> make_plan(const Buffer& form, Writer& writer, marshal::Work& work, Fault& fault);

}  // namespace callis::typecode
