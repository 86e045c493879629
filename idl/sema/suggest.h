// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known name that is nearest to a wrong one.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace callis::idl::sema {

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; `most + 1`
// where it takes more than `most`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

// Offered candidates one by one, keeps the best. A third of the wrong name may differ.
class Suggestion {
 public:
  explicit Suggestion(std::string_view wrong);
  void offer(std::string_view candidate);
  const std::string& best() const { return best_; }  // empty: nothing is near

 private:
  std::string_view wrong_;
  std::size_t distance_;  // only nearer ones count
  std::size_t offered_ = 0;
  std::string best_;
};

// What IDL calls a type of C or of later IDL: "int" → "use 'long'". Empty where there is nothing
// to say.
std::string_view foreign_type_hint(std::string_view name);

}  // namespace callis::idl::sema
