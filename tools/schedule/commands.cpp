// SPDX-License-Identifier: Apache-2.0
// Reads files, computes, prints.
#include <services/common/write_file.h>
#include <services/scheduling/configuration.h>
#include <services/scheduling/measured.h>
#include <services/scheduling/model_idl.h>
#include <services/scheduling/model_json.h>
#include <services/scheduling/report.h>
#include <tools/schedule/commands.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <list>
#include <sstream>

namespace callis::scheduling {

namespace {

constexpr std::size_t kMostFileBytes = 64u << 20;

std::string contents(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string out;
  char block[65536];
  while (file.read(block, sizeof block) || file.gcount() > 0) {
    out.append(block, static_cast<std::size_t>(file.gcount()));
    if (out.size() > kMostFileBytes)
      throw Failure{kCannot, path + ": is longer than " + std::to_string(kMostFileBytes) + " bytes"};
  }
  if (!file.eof()) throw Failure{kCannot, path + ": cannot be read: " + std::strerror(errno)};
  return out;
}

}  // namespace

Model read_model(const Arguments& arguments, const Bounds& bounds) {
  Model model(bounds);
  std::list<idl::driver::Compilation> compilations;
  for (const std::string& file : arguments.idl_files) {
    compilations.push_back(idl::driver::compile(file, arguments.preprocess));
    const idl::driver::Compilation& compilation = compilations.back();
    std::fputs(compilation.diagnostics->text().c_str(), stderr);
    if (compilation.diagnostics->failed()) throw Failure{kCannot, file + ": was not taken"};
    add_idl(model, compilation);
  }
  for (const std::string& file : arguments.json_files) add_json(model, contents(file), file);
  for (const idl::driver::Compilation& compilation : compilations) add_idl_calls(model, compilation);
  std::vector<MeasuredOperation> measured;
  for (const std::string& file : arguments.measured_files) {
    const auto more = read_measured(contents(file), file);
    measured.insert(measured.end(), more.begin(), more.end());
  }
  const Merged merged = merge(model, measured, arguments.margin_percent);
  for (const std::string& note : merged.notes) std::fprintf(stderr, "callis schedule: note: %s\n", note.c_str());
  return model;
}

int schedule(const Arguments& arguments) {
  const Model model = read_model(arguments, Bounds{});
  if (model.infos().empty())
    throw Failure{kCannot, "the files have no operations to schedule; in IDL those with @rt(...) are"};
  const Schedule schedule = compute(model, arguments.options);
  std::string text;
  switch (arguments.output) {
    case Arguments::Output::Table: text = table_text(model, schedule); break;
    case Arguments::Output::Json: text = json_text(model, schedule); break;
    case Arguments::Output::Header: text = header_text(model, schedule, arguments.name_space); break;
    case Arguments::Output::Svg: text = svg_text(model, schedule, arguments.span); break;
    case Arguments::Output::Configuration: text = to_text(configuration_of(model, schedule)); break;
  }
  if (arguments.output_file.empty()) {
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
      throw Failure{kCannot, std::string("the standard output cannot be written: ") + std::strerror(errno)};
  } else {
    services::write_file(arguments.output_file, text);
  }
  if (!schedule.schedulable && arguments.output != Arguments::Output::Table)
    std::fputs("callis schedule: NOT schedulable; --table says why\n", stderr);
  return schedule.schedulable ? 0 : kNotSchedulable;
}

}  // namespace callis::scheduling
