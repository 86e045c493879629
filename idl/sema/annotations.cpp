// SPDX-License-Identifier: Apache-2.0
// Annotations (IDL 4.2, 7.4.15 and 8.3): kept with what they annotate.
#include <idl/sema/analyzer.h>
#include <cstdlib>

namespace callis::idl::sema {

void Analyzer::annotate(ast::Declaration& node, const parse::Annotations& annotations) {
  for (const parse::AnnotationSpec& spec : annotations) {
    if (spec.name.text == "callis::stubs" || spec.name.text == "::callis::stubs" || spec.name.text == "stubs") {
      const std::string text = spec.arguments.size() == 1 ? spec.arguments.front().text : std::string();
      const bool compiled = text == "compiled" || text == "\"compiled\"";
      if (!compiled && text != "interpreted" && text != "\"interpreted\"") {
        diagnostics_.error(spec.name.where, "'@stubs' has one value, 'compiled' or 'interpreted'");
      } else {
        choose_stubs(node, compiled ? ast::StubStyle::Compiled : ast::StubStyle::Interpreted, spec.name.where);
      }
      continue;
    }
    ast::Annotation out;
    out.name = spec.name.text;
    for (const parse::AnnotationSpec::Argument& argument : spec.arguments) {
      out.parameters.push_back({argument.name.text.empty() ? "value" : argument.name.text, argument.text});
    }
    node.annotations.push_back(std::move(out));
  }
}

// `@position(n)` of a bitmask's flag.
std::optional<std::uint32_t> Analyzer::position_of(const ast::Declaration& flag) {
  for (const ast::Annotation& a : flag.annotations) {
    if (a.name == "position" && a.parameters.size() == 1) {
      return static_cast<std::uint32_t>(std::strtoul(a.parameters.front().text.c_str(), nullptr, 0));
    }
  }
  return std::nullopt;
}

void Analyzer::choose_stubs(ast::Declaration& node, ast::StubStyle style, const source::Range& where) {
  if (ast::takes_stubs(node.kind)) {
    node.stubs = style;
  } else {
    diagnostics_.warning(where, "a choice of stubs has no effect on " + std::string(ast::kind_name(node.kind)) +
                                    " '" + node.name + "'");
  }
}

}  // namespace callis::idl::sema
