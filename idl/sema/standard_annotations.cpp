// SPDX-License-Identifier: Apache-2.0
#include <idl/sema/standard_annotations.h>
#include <idl/sema/suggest.h>

namespace callis::idl::sema {

namespace {

using Kind = AnnotationParameter::Kind;

constexpr AnnotationParameter kSwitch = {"value", Kind::Boolean, false};

constexpr StandardAnnotation kAll[] = {
    // 8.3.1 General purpose
    {"id", {{"value", Kind::ULong}}},
    {"autoid", {{"value", Kind::Word, false, "SEQUENTIAL HASH"}}},
    {"optional", {kSwitch}},
    {"position", {{"value", Kind::UShort}}},
    {"value", {{"value", Kind::Element}}},
    {"extensibility", {{"value", Kind::Word, true, "FINAL APPENDABLE MUTABLE"}}},
    {"final"},
    {"appendable"},
    {"mutable"},
    // 8.3.2 Data modeling
    {"key", {kSwitch}},
    {"must_understand", {kSwitch}},
    {"default_literal"},
    // 8.3.3 Units and ranges
    {"default", {{"value", Kind::Element}}},
    {"range", {{"min", Kind::Element}, {"max", Kind::Element}}},
    {"min", {{"value", Kind::Element}}},
    {"max", {{"value", Kind::Element}}},
    {"unit", {{"value", Kind::String}}},
    // 8.3.4 Data implementation
    {"bit_bound", {{"value", Kind::UShort}}},
    {"external", {kSwitch}},
    {"nested", {kSwitch}},
    // 8.3.5 Code generation
    {"verbatim",
     {{"language", Kind::String, false},
      {"placement", Kind::Word, false,
       "BEGIN_FILE BEFORE_DECLARATION BEGIN_DECLARATION END_DECLARATION AFTER_DECLARATION END_FILE"},
      {"text", Kind::String}}},
    // 8.3.6 Interfaces
    {"service", {{"platform", Kind::String, false}}},
    {"oneway", {kSwitch}},
    {"ami", {kSwitch}},
    // callis schedule
    {"rt", {}, true},
    {"rt_calls", {}, true},
    {"rt_lock", {}, true},
    // DDS
    {"hashid", {}, true},
    {"topic", {}, true},
    {"try_construct", {}, true},
    {"ignore_literal_names", {}, true},
    {"non_serialized", {}, true},
    {"data_representation", {}, true},
};

}  // namespace

const StandardAnnotation* find_annotation(std::string_view name) {
  for (const StandardAnnotation& a : kAll) {
    if (a.name == name) {
      return &a;
    }
  }
  return nullptr;
}

std::string_view nearest_annotation(std::string_view name) {
  Suggestion suggestion(name);
  for (const StandardAnnotation& a : kAll) {
    suggestion.offer(a.name);
  }
  const StandardAnnotation* found = find_annotation(suggestion.best());
  return found != nullptr ? found->name : std::string_view();
}

}  // namespace callis::idl::sema
