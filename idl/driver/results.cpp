// SPDX-License-Identifier: Apache-2.0
#include <idl/driver/depfile.h>
#include <idl/driver/json.h>
#include <idl/driver/results.h>
#include <algorithm>
#include <filesystem>

namespace callis::idl::driver {

namespace {

namespace fs = std::filesystem;

void put_list(JsonWriter& to, std::string_view key, const std::vector<std::string>& paths) {
  to.key(key).open_array();
  for (const std::string& path : paths) {
    to.text(path);
  }
  to.close_array();
}

void add_new(std::vector<std::string>& to, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (std::find(to.begin(), to.end(), path) == to.end()) {
      to.push_back(path);
    }
  }
}

}  // namespace

std::vector<std::string> output_paths(const Arguments& arguments, const Result& result) {
  std::vector<std::string> paths;
  for (const backends::Output& output : result.outputs) {
    paths.push_back((fs::path(arguments.directory) / output.name).string());
  }
  return paths;
}

std::vector<backends::Output> depfiles(const Arguments& arguments, const std::vector<Result>& results) {
  std::vector<backends::Output> out;
  std::vector<std::string> all_targets, all_inputs;
  const auto add = [&](const std::string& name, const std::vector<std::string>& outputs,
                       std::vector<std::string> inputs) {
    add_new(inputs, arguments.profiles);
    const auto& targets = arguments.targets.empty() ? outputs : arguments.targets;
    out.push_back({name, depfile(targets, inputs, arguments.phony_targets)});
  };
  for (const Result& result : results) {
    const auto outputs = output_paths(arguments, result);
    if (arguments.depfile.empty()) {
      const fs::path name = fs::path(arguments.directory) / fs::path(result.file).stem();
      add(name.string() + ".d", outputs, result.inputs);
    }
    add_new(all_targets, outputs);
    add_new(all_inputs, result.inputs);
  }
  if (!arguments.depfile.empty()) {
    add(arguments.depfile, all_targets, all_inputs);
  }
  return out;
}

std::string dependencies(const Arguments& arguments, const std::vector<Result>& results) {
  JsonWriter to;
  to.open_object();
  to.key("format").text(std::string_view("callis-idl-deps"));
  to.key("version").number(kJsonVersion);
  to.key("units").open_array();
  for (const Result& result : results) {
    std::vector<std::string> inputs = result.inputs;
    add_new(inputs, arguments.profiles);
    to.open_object();
    to.key("file").text(result.file);
    put_list(to, "reads", inputs);
    put_list(to, "writes", output_paths(arguments, result));
    to.close_object();
  }
  to.close_array();
  to.close_object();
  return to.take();
}

}  // namespace callis::idl::driver
