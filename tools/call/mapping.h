// SPDX-License-Identifier: Apache-2.0
// Values as JSON and back; docs/guide/call.md has the mapping. Values are built and taken apart by DynAny, TypeCodes
// decide what is expected. One thread at a time.
#pragma once
#include <callis/corba.h>
#include <callis/dynamic_any.h>
#include <tools/call/texts.h>
#include <tools/call/types.h>
#include <map>
#include <string>

namespace callis::tools {

// JSON that does not fit a type.
struct WrongJson {
  std::string path;  // "arguments.account.owner"
  std::string text;  // "expected a string, found the number 5"
};

// A value of a peer's that cannot be shown.
struct CannotShow {
  std::string text;
};

class Mapping {
 public:
  // types: names for TypeCodes, and TypeCodes for names; lives longer than this.
  Mapping(CORBA::ORB_ptr orb, Types& types);

  // Throws WrongJson.
  CORBA::Any from_json(CORBA::TypeCode_ptr type, const Json& json, const std::string& path);
  // Opaque values behind abstract interfaces become {"unsupported": ...}. Throws CannotShow.
  Json to_json(const CORBA::Any& any);

  // What has become {"unsupported": ...} since this was made: one sentence each.
  const std::vector<std::string>& left_out() const { return left_out_; }

  // TypeCodes: a name, a repository id of `types`, or an object. WrongJson, CannotShow.
  CORBA::TypeCode_var type_from_json(const Json& json, const std::string& path);
  Json type_to_json(CORBA::TypeCode_ptr type);

 private:
  using DynAny_ptr = DynamicAny::DynAny_ptr;

  void fill(DynAny_ptr to, const Json& json, const std::string& path);
  void fill_string(DynAny_ptr to, CORBA::ULong bound, const Json& json, const std::string& path);
  void fill_wstring(DynAny_ptr to, CORBA::ULong bound, const Json& json, const std::string& path);
  void fill_struct(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path);
  void fill_union(DynAny_ptr to, const Json& json, const std::string& path);
  void fill_elements(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path);
  void fill_enum(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path);
  void fill_fixed(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path);
  void fill_any(DynAny_ptr to, const Json& json, const std::string& path);
  void fill_value(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path);
  CORBA::Object_var object(const Json& json, const std::string& path);

  Json read(DynAny_ptr from);
  Json read_struct(DynAny_ptr from, CORBA::TypeCode_ptr type);
  Json read_elements(DynAny_ptr from, CORBA::TypeCode_ptr type);
  Json read_value(DynAny_ptr from, bool with_type = false);
  Json read_abstract(DynAny_ptr from, CORBA::TypeCode_ptr type);
  // Finds the values that occur more than once.
  void count_values(DynAny_ptr from);
  void fill_abstract(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path);
  void set_value(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path);
  static std::string id_in(const Json& json, const char* name, const std::string& path);
  // The value that {"same": id} stands for.
  void share(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path);
  // Makes a value of its "type", or of `type`; its members follow.
  CORBA::TypeCode_var set_actual(DynAny_ptr to, CORBA::TypeCode_ptr type, const Json& json, const std::string& path);
  void fill_members(DynAny_ptr to, CORBA::TypeCode_ptr actual, const Json& json, const std::string& path);

  CORBA::TypeCode_var described(const Json& json, const std::string& path);
  CORBA::TypeCode_var described_union(const Json& json, const std::string& path);
  CORBA::TypeCode_var described_value(const Json& json, const std::string& path);
  Json describe_type(CORBA::TypeCode_ptr type);

  const CORBA::ORB_ptr orb_;
  Types& types_;
  DynamicAny::DynAnyFactory_var factory_;
  std::vector<std::string> left_out_;
  std::vector<std::string> open_;  // ids of the types that are being described
  std::size_t steps_ = 0;
  std::size_t anys_ = 0;  // in each other, that are being read
  // Values of the any that is being read: how often each occurs, and the number that it has been given.
  struct Seen {
    std::size_t times = 0, number = 0;
  };
  std::map<const DynamicAny::DynAny*, Seen> seen_;
  std::size_t numbers_ = 0;
  std::map<std::string, DynamicAny::DynAny_var> by_id_;  // of the any that is being made
};

// Both ways of bytes that are no text. False: not base64 (RFC 4648, 4).
std::string to_base64(std::string_view bytes);
bool from_base64(std::string_view text, std::string& bytes);

}  // namespace callis::tools
