// SPDX-License-Identifier: Apache-2.0
// callis-idl: the IDL compiler. Exit status 0: done; 1: the IDL has errors, or a file could not be
// read or written; 2: wrong usage.
#include <idl/backends/registry.h>
#include <idl/driver/choices.h>
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
constexpr const char* kHybrid = "hybrid";
constexpr unsigned kUsualShare = 80;

struct Arguments {
  std::vector<std::string> files;
  source::PreprocessOptions preprocess;
  std::string stubs = kInterpreted;
  std::vector<std::string> stubs_for;
  std::vector<std::string> profiles;
  unsigned share = kUsualShare;
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
  app.add_option("--stubs", a.stubs,
                 "interpreted: tables; compiled: straight-line code; hybrid: what --stubs-for, "
                 "annotations and profiles ask for")
      ->check(CLI::IsMember({kInterpreted, kCompiled, kHybrid}))
      ->type_name("")
      ->capture_default_str();
  one_each(app.add_option("--stubs-for", a.stubs_for,
                          "With --stubs=hybrid: a type, an interface or an operation (A::b), and "
                          "the style, compiled or interpreted; the last one counts"),
           "NAME=STYLE");
  one_each(app.add_option("--profile", a.profiles,
                          "With --stubs=hybrid: compile the operations that matter, by what a program "
                          "run with CALLIS_PROFILE=FILE has written"),
           "FILE");
  app.add_option("--profile-share", a.share, "How much of a profile's weight is to be compiled")
      ->check(CLI::Range(1, 100))
      ->type_name("PERCENT")
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

// What --stubs-for and --profile have given.
struct Wishes {
  std::vector<StubsFor> by_name;
  std::vector<ProfiledOperation> hot;
  bool any_hot_known = false;
  std::string hint;  // for a name that no unit has
};

struct Results {
  std::vector<backends::Output> outputs;
  std::vector<std::string> inputs;  // IDL files read
};

int fail(const std::string& text) {
  std::fprintf(stderr, "callis-idl: error: %s\n", text.c_str());
  return 1;
}

// False after printing what is wrong.
bool apply(Wishes& wishes, const ast::Unit& unit, backends::Options& options) {
  std::string wrong;
  options.by_option = choose(unit, wishes.by_name, wrong);
  options.by_profile = choose(unit, wishes.hot);
  wishes.any_hot_known |= !options.by_profile.empty();
  for (const StubsFor& wanted : wishes.by_name) {
    if (!wanted.known && wishes.hint.empty()) {
      wishes.hint = nearest_name(unit, wanted.name);
    }
  }
  return wrong.empty() || fail(wrong) == 0;
}

// Reads names and profiles. False after printing what is wrong.
bool read_wishes(const Arguments& a, Wishes& wishes) {
  for (const std::string& text : a.stubs_for) {
    if (!parse_stubs_for(text, wishes.by_name.emplace_back())) {
      return fail("--stubs-for=" + text + " is not NAME=compiled or NAME=interpreted") == 0;
    }
  }
  std::vector<ProfiledOperation> all;
  for (const std::string& path : a.profiles) {
    const auto text = source::read_from_disk(path);
    if (!text) {
      return fail("cannot read '" + path + "'") == 0;
    }
    if (const std::string why = read_profile(*text, all); !why.empty()) {
      return fail("'" + path + "' is not a profile: " + why) == 0;
    }
  }
  wishes.hot = heaviest(std::move(all), a.share);
  return true;
}

// Whether each name is in some file. False after printing which is not.
bool all_known(const Arguments& a, const Wishes& wishes) {
  for (const StubsFor& wanted : wishes.by_name) {
    if (!wanted.known) {
      return fail("--stubs-for: there is no '" + wanted.name + "'" + wishes.hint) == 0;
    }
  }
  if (!a.profiles.empty() && !wishes.any_hot_known) {
    std::fprintf(stderr, "callis-idl: warning: the profile speaks of no operation that is declared here\n");
  }
  return true;
}

// Compiles one file; what comes out is added to `results`. False after printing what is wrong.
bool one_file(const std::string& path, const Arguments& a, backends::Backend* backend,
              Wishes& wishes, Results& results) {
  Compilation c = compile(path, a.preprocess);
  if (!c.diagnostics->failed() && backend != nullptr) {
    backends::Options options;
    options.stubs = a.stubs == kCompiled ? backends::Stubs::Compiled
                    : a.stubs == kHybrid ? backends::Stubs::Hybrid
                                         : backends::Stubs::Interpreted;
    if (!apply(wishes, *c.unit, options)) {
      return false;
    }
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
  Wishes wishes;
  if (!read_wishes(a, wishes)) {
    return 1;
  }
  Results results;
  results.inputs = a.profiles;
  bool good = true;
  for (const std::string& file : a.files) {
    good = one_file(file, a, backend.get(), wishes, results) && good;
  }
  if (!good || !generate) {
    return good ? 0 : 1;
  }
  if (!all_known(a, wishes)) {
    return 1;
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
    if (arguments.stubs != callis::idl::driver::kHybrid &&
        !(arguments.stubs_for.empty() && arguments.profiles.empty())) {
      throw CLI::ValidationError("--stubs-for and --profile need --stubs=hybrid");
    }
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    return callis::idl::driver::run(arguments);
  } catch (const std::exception& e) {
    return callis::idl::driver::fail(e.what());
  }
}
