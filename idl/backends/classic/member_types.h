// SPDX-License-Identifier: Apache-2.0
// The names of members' types that have none in IDL (C++ mapping 4.11): _x_seq for a sequence, _x and _x_slice for an
// array, where x is the member, or x_array (x_sequence) where the class has something else of that name.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/backends/classic/text.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace callis::idl::backends::classic {

// What the names in one class are made of. A member gives way to what the mapping prescribes (exceptions have a
// _name(), unions a _d(), nested types a _tc_X), and to a member with a shorter name: of `long v[2]` and `long
// v_slice[2]` it is v that has _v_slice.
class MemberStems {
 public:
  // The members are those of `of`; for a box, those of the struct in it.
  template<class Member>
  MemberStems(const ast::Declaration& of, const std::vector<const Member*>& members,
              const ast::Declarations& nested) {
    std::vector<Anonymous> list;
    for (const Member* m : members) {
      list.push_back({&m->name, m->type});
    }
    choose(of, std::move(list), nested);
  }
  // "x", "x_array".
  const std::string& of(const std::string& member) const {
    const auto other = other_.find(member);
    return other == other_.end() ? member : other->second;
  }

 private:
  struct Anonymous {
    const std::string* name;
    const ast::Type* type;
  };
  void choose(const ast::Declaration& of, std::vector<Anonymous> members, const ast::Declarations& nested);
  bool is_taken(const std::string& name) const;

  std::set<std::string> taken_;               // names in the class, without the '_' that they begin with
  std::map<std::string, std::string> other_;  // only where the stem is not the member's name
};

// The typedefs of such a type; nothing for other types.
void print_member_typedefs(Text& to, const std::string& stem, const ast::Type& t);
bool is_anonymous(const ast::Type& t);
// How a member's type is spelled within the class, and an array's slice: by that name where it has one.
std::string spelled(const std::string& stem, const ast::Type& t);
std::string spelled_slice(const std::string& stem, const ast::Type& t);

}  // namespace callis::idl::backends::classic
