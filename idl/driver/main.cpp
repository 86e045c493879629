// SPDX-License-Identifier: Apache-2.0
// callis-idl: the IDL compiler. Exit status 0: done; 1: the IDL has errors, or a file could not be
// read or written; 2: wrong usage.
#include <idl/backends/registry.h>
#include <idl/driver/arguments.h>
#include <idl/driver/compile.h>
#include <idl/driver/dump.h>
#include <idl/driver/json.h>
#include <idl/driver/results.h>
#include <idl/driver/wishes.h>
#include <idl/driver/write_outputs.h>
#include <idl/source/limits.h>
#include <sys/auxv.h>
#include <cstdio>
#include <filesystem>
#include <new>
#include <set>

namespace callis::idl::driver {

namespace {

int fail(const std::string& text) {
  std::fprintf(stderr, "callis-idl: error: %s\n", text.c_str());
  return 1;
}

// The path of this program. Where /proc is not mounted (a chroot, a sandbox), the path that it was started by.
std::filesystem::path own_path() {
  std::error_code failed;
  std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (const auto* started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN)); failed && started != nullptr) {
    own = std::filesystem::canonical(started, failed);
  }
  return own;
}

// Where the compiler is installed as BIN/callis-idl, the IDL of the modules that the runtime has (Messaging.idl ...)
// lies in BIN/../share/callis/idl. It is looked for behind all other folders.
Arguments with_installed_idl(Arguments a) {
  const std::filesystem::path own = own_path();
  const std::filesystem::path idl = own.parent_path().parent_path() / "share/callis/idl";
  std::error_code failed;
  if (!own.empty() && std::filesystem::is_directory(idl, failed)) {
    a.preprocess.include_dirs.push_back(idl.string());
  }
  return a;
}

// All files of one command line, in turn. Code and depfiles are written when all are good, or not at all.
class Run {
 public:
  explicit Run(const Arguments& a) : arguments_(with_installed_idl(a)) {}

  int run();

 private:
  bool generates() const { return arguments_.emit == Emit::Code || arguments_.emit == Emit::Dependencies; }
  bool all_files();
  bool one_file(const std::string& path);
  bool generate(Compilation& c, Result& result);
  void print(const ast::Unit& unit);
  int write();

  const Arguments arguments_;
  std::unique_ptr<backends::Backend> backend_;
  Wishes wishes_;
  std::vector<Result> results_;
  JsonWriter json_;
  std::string text_;  // for the standard output
};

bool Run::generate(Compilation& c, Result& result) {
  backends::Options options = arguments_.output;
  if (const std::string why = wishes_.apply(*c.unit, options); !why.empty()) {
    fail(why);
    return false;
  }
  try {
    result.outputs = backend_->generate(*c.unit, options, *c.diagnostics);
  } catch (const backends::TooMuchText&) {
    const source::FileId file = *c.files->find(result.file);
    c.diagnostics->error({{file, 1, 1}, 1}, "more than " + std::to_string(kMaxGeneratedBytes >> 20) +
                                                " MB of code would come of this file");
  }
  return true;
}

void Run::print(const ast::Unit& unit) {
  if (arguments_.emit == Emit::Ast) {
    text_ += dump(unit);
  } else if (arguments_.emit == Emit::Json) {
    write_json(json_, unit);
  }
}

// False after printing what is wrong.
bool Run::one_file(const std::string& path) {
  Compilation c;
  Result& result = results_.emplace_back();
  result.file = path;
  if (arguments_.emit == Emit::Preprocessed) {
    text_ += preprocess(path, arguments_.preprocess, c);
  } else {
    c = compile(path, arguments_.preprocess);
  }
  if (!c.diagnostics->failed() && generates() && !generate(c, result)) {
    return false;
  }
  std::fputs(c.diagnostics->text().c_str(), stderr);
  if (!c.diagnostics->failed() && c.unit != nullptr) {
    print(*c.unit);
  }
  for (std::size_t i = 0; i < c.files->size(); ++i) {
    const source::File& read = (*c.files)[static_cast<source::FileId>(i)];
    if (!read.built_in) {
      result.inputs.push_back(read.path);
    }
  }
  return !c.diagnostics->failed();
}

bool Run::all_files() {
  json_.open_object();
  json_.key("format").text(std::string_view("callis-idl-ast"));
  json_.key("version").number(kJsonVersion);
  json_.key("units").open_array();
  bool good = true;
  for (const std::string& path : arguments_.files) {
    good = one_file(path) && good;
  }
  json_.close_array();
  json_.close_object();
  return good;
}

int Run::write() {
  std::set<std::string> names;
  std::vector<backends::Output> outputs;
  for (Result& result : results_) {
    for (backends::Output& output : result.outputs) {
      if (!names.insert(output.name).second) {
        return fail("two of the files would both write '" + output.name + "'");
      }
      outputs.push_back({output.name, std::move(output.text)});
    }
  }
  std::string why = write_outputs(arguments_.directory, outputs);
  if (arguments_.wants_depfile()) {
    for (const backends::Output& d : depfiles(arguments_, results_)) {
      const std::filesystem::path path(d.name);
      const std::string directory = path.has_parent_path() ? path.parent_path().string() : ".";
      why = why.empty() ? write_outputs(directory, {{path.filename().string(), d.text}}) : why;
    }
  }
  return why.empty() ? 0 : fail(why);
}

int Run::run() {
  if (generates()) {
    backend_ = backends::make_backend(arguments_.mapping);
    if (backend_ == nullptr) {
      return fail("built without a back end; only --syntax-only is possible");
    }
  }
  if (const std::string why = wishes_.read(arguments_); !why.empty()) {
    return fail(why);
  }
  const bool good = all_files();
  if (good && generates()) {
    if (const std::string why = wishes_.all_known(); !why.empty()) {
      return fail(why);
    }
    if (!wishes_.profile_is_of_use()) {
      std::fprintf(stderr, "callis-idl: warning: the profile speaks of no operation that is declared here\n");
    }
  }
  if (good && arguments_.emit == Emit::Json) {
    text_ = json_.take();
  } else if (good && arguments_.emit == Emit::Dependencies) {
    text_ = dependencies(arguments_, results_);
  }
  std::fputs(text_.c_str(), stdout);
  return !good ? 1 : arguments_.emit == Emit::Code ? write() : 0;
}

}  // namespace

}  // namespace callis::idl::driver

int main(int argc, char** argv) {
  using namespace callis::idl::driver;
  const Parsed parsed = parse_arguments(argc, argv);
  if (parsed.end) {
    return parsed.status;
  }
  try {
    return Run(parsed.arguments).run();
  } catch (const std::bad_alloc&) {
    return fail("out of memory");
  } catch (const std::exception& e) {
    return fail(e.what());
  }
}
