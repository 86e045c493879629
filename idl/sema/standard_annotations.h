// SPDX-License-Identifier: Apache-2.0
// The annotations that IDL 4.2, 8.3 defines, those of callis schedule, and those of the DDS specifications that CORBA
// has no use for.
#pragma once
#include <string_view>

namespace callis::idl::sema {

struct AnnotationParameter {
  enum class Kind { Boolean, UShort, ULong, String, Word, Element };  // Element: of what is annotated
  std::string_view name;
  Kind kind = Kind::Boolean;
  bool required = true;
  std::string_view words = {};  // of a Word, separated by blanks
};

struct StandardAnnotation {
  static constexpr int kMost = 3;
  std::string_view name;
  AnnotationParameter parameters[kMost] = {};  // those without a name are not there
  bool free = false;                           // takes any parameters: not of IDL 4.2
};

// Null where the name is not known.
const StandardAnnotation* find_annotation(std::string_view name);

// The known name nearest to `name`; empty where none is near.
std::string_view nearest_annotation(std::string_view name);

}  // namespace callis::idl::sema
