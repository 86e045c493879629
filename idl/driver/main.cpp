// SPDX-License-Identifier: Apache-2.0
// callis-idl: the IDL compiler. Exit status 0: done; 1: the IDL has errors, or a file could not be
// read or written; 2: wrong usage.
#include <idl/backends/registry.h>
#include <idl/driver/compile.h>
#include <idl/driver/depfile.h>
#include <idl/driver/dump.h>
#include <idl/driver/write_outputs.h>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <set>

namespace callis::idl::driver {

namespace {

constexpr const char* kInterpreted = "interpreted";
constexpr const char* kCompiled = "compiled";

struct Arguments {
  std::vector<std::string> files;
  source::PreprocessOptions preprocess;
  std::string stubs = kInterpreted;
  std::string mapping;
  std::string directory = ".";
  std::string depfile;
  std::string emit;
  bool syntax_only = false;
};

void declare_options(CLI::App& app, Arguments& a) {
  const auto one_each = [](CLI::Option* option, const char* value) {
    option->allow_extra_args(false)->type_name(value);
  };
  std::vector<std::string> mappings;
  for (const auto name : backends::backend_names()) {
    mappings.emplace_back(name);
  }
  a.mapping = mappings.empty() ? "" : mappings.front();
  app.add_option("file", a.files, "IDL files; each is compiled on its own")
      ->required()
      ->type_name("");
  one_each(app.add_option("-I", a.preprocess.include_dirs, "Look for included files here too"),
           "DIR");
  one_each(app.add_option("-D", a.preprocess.defines, "Define a macro"), "NAME[=VALUE]");
  one_each(app.add_option("-U", a.preprocess.undefines, "Undefine a macro"), "NAME");
  app.add_option("-o", a.directory, "Directory for the generated files")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--stubs", a.stubs, "interpreted: tables; compiled: straight-line code")
      ->check(CLI::IsMember({kInterpreted, kCompiled}))
      ->type_name("")
      ->capture_default_str();
  if (!mappings.empty()) {
    app.add_option("--mapping", a.mapping, "Language mapping")
        ->check(CLI::IsMember(mappings))
        ->type_name("")
        ->capture_default_str();
  }
  app.add_option("--depfile", a.depfile,
                 "Write what the generated files depend on, in the syntax of make")
      ->type_name("FILE");
  app.add_flag("--syntax-only", a.syntax_only, "Check the files, write nothing");
  app.add_option("--emit", a.emit)->check(CLI::IsMember({"ast"}))->group("");
  app.set_version_flag("--version", std::string("callis-idl " CALLIS_VERSION));
}

struct Results {
  std::vector<backends::Output> outputs;
  std::vector<std::string> inputs;  // IDL files read
};

// Compiles one file; what comes out is added to `results`. False after printing what is wrong.
bool one_file(const std::string& path, const Arguments& a, backends::Backend* backend,
              Results& results) {
  Compilation c = compile(path, a.preprocess);
  if (!c.diagnostics->failed() && backend != nullptr) {
    backends::Options options;
    options.stubs = a.stubs == kCompiled ? backends::Stubs::Compiled : backends::Stubs::Interpreted;
    auto made = backend->generate(*c.unit, options, *c.diagnostics);
    results.outputs.insert(results.outputs.end(), std::make_move_iterator(made.begin()),
                           std::make_move_iterator(made.end()));
  }
  std::fputs(c.diagnostics->text().c_str(), stderr);
  if (!c.diagnostics->failed() && a.emit == "ast") {
    std::fputs(dump(*c.unit).c_str(), stdout);
  }
  for (std::size_t i = 0; i < c.files->size(); ++i) {
    results.inputs.push_back((*c.files)[static_cast<source::FileId>(i)].path);
  }
  return !c.diagnostics->failed();
}

int fail(const std::string& text) {
  std::fprintf(stderr, "callis-idl: error: %s\n", text.c_str());
  return 1;
}

int write(const Arguments& a, const Results& results) {
  std::set<std::string> names;
  std::vector<std::string> targets;
  for (const backends::Output& output : results.outputs) {
    if (!names.insert(output.name).second) {
      return fail("two of the files would both write '" + output.name + "'");
    }
    targets.push_back((std::filesystem::path(a.directory) / output.name).string());
  }
  std::string why = write_outputs(a.directory, results.outputs);
  if (why.empty() && !a.depfile.empty()) {
    const std::filesystem::path path(a.depfile);
    why = write_outputs(path.has_parent_path() ? path.parent_path().string() : ".",
                        {{path.filename().string(), depfile(targets, results.inputs)}});
  }
  return why.empty() ? 0 : fail(why);
}

int run(const Arguments& a) {
  const bool generate = !a.syntax_only && a.emit.empty();
  std::unique_ptr<backends::Backend> backend;
  if (generate) {
    backend = backends::make_backend(a.mapping);
    if (backend == nullptr) {
      return fail("built without a back end; only --syntax-only is possible");
    }
  }
  Results results;
  bool good = true;
  for (const std::string& file : a.files) {
    good = one_file(file, a, backend.get(), results) && good;
  }
  if (!good || !generate) {
    return good ? 0 : 1;
  }
  return write(a, results);
}

}  // namespace

}  // namespace callis::idl::driver

int main(int argc, char** argv) {
  CLI::App app("Compiles CORBA IDL to C++.", "callis-idl");
  callis::idl::driver::Arguments arguments;
  callis::idl::driver::declare_options(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    return callis::idl::driver::run(arguments);
  } catch (const std::exception& e) {
    return callis::idl::driver::fail(e.what());
  }
}
