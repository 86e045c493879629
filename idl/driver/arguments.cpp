// SPDX-License-Identifier: Apache-2.0
// The command line, read and checked.
#include <idl/backends/registry.h>
#include <idl/driver/arguments.h>
#include <idl/driver/omniidl.h>
#include <idl/driver/tao_idl.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>

namespace callis::idl::driver {

namespace {

using backends::Skeletons;

const std::map<std::string, backends::Stubs> kStubs = {{"interpreted", backends::Stubs::Interpreted},
                                                       {"compiled", backends::Stubs::Compiled},
                                                       {"hybrid", backends::Stubs::Hybrid}};
const std::map<std::string, Emit> kEmits = {
    {"ast", Emit::Ast}, {"json", Emit::Json}, {"deps", Emit::Dependencies}};

// Sets of endings as other IDL compilers have them: tao_idl's x.h is xC.h and xS.h, omniidl's x.hh has the skeletons.
struct Style {
  backends::FileEndings endings;
  Skeletons skeletons = Skeletons::Split;
  bool for_omniorb = false, for_tao = false;
};
const std::map<std::string, Style> kStyles = {
    {"callis", {}},
    {"tao", {{"C.h", "C.cpp", "S.h", "S.cpp"}, Skeletons::Split, false, true}},
    {"omniorb", {{".hh", "SK.cc", "_skel.hh", "_skel.cc"}, Skeletons::Joined, true}}};

// What is not stored where it belongs while the command line is read.
struct Raw {
  std::string stubs = "interpreted";
  std::string emit;
  std::string style = "callis";
  backends::FileEndings endings = {"", "", "", ""};  // those given
  bool syntax_only = false;
  bool preprocess_only = false;
  bool no_any = false;
  bool no_ties = false;
  bool no_skeletons = false;
  bool join_skeletons = false;
  bool split_skeletons = false;
  bool standard_this = false;
  bool boa = false;
};

template <class Map>
std::vector<std::string> keys(const Map& map) {
  std::vector<std::string> out;
  for (const auto& entry : map) {
    out.push_back(entry.first);
  }
  return out;
}

CLI::Option* one_each(CLI::Option* option, const char* value) {
  return option->allow_extra_args(false)->type_name(value);
}

void declare_inputs(CLI::App& app, Arguments& a, Raw& raw) {
  app.add_option("file", a.files, "IDL files; each is compiled on its own")->required()->type_name("");
  one_each(app.add_option("-I", a.preprocess.include_dirs, "Look for included files here too"), "DIR")
      ->group("Input");
  one_each(app.add_option("-D", a.preprocess.defines, "Define a macro"), "NAME[=VALUE]")->group("Input");
  one_each(app.add_option("-U", a.preprocess.undefines, "Undefine a macro"), "NAME")->group("Input");
  app.add_flag("-E", raw.preprocess_only, "Write what the preprocessor makes of the files, no more")->group("Input");
  app.add_flag("--syntax-only", raw.syntax_only, "Check the files, write nothing")->group("Input");
  app.add_option("--emit", raw.emit,
                 "Write to the standard output instead of generating code. json: the checked declarations; deps: the "
                 "files that are read and would be written, as JSON; ast: the declarations, for people")
      ->check(CLI::IsMember(keys(kEmits)))
      ->type_name("")
      ->group("Input");
}

void declare_stubs(CLI::App& app, Arguments& a, Raw& raw) {
  app.add_option(
         "--stubs", raw.stubs,
         "interpreted: tables; compiled: straight-line code; hybrid: what --stubs-for, annotations and profiles "
         "ask for")
      ->check(CLI::IsMember(keys(kStubs)))
      ->type_name("")
      ->capture_default_str()
      ->group("Stubs");
  one_each(
      app.add_option("--stubs-for", a.stubs_for,
                     "With --stubs=hybrid: a type, an interface or an operation (A::b), and the style, compiled or "
                     "interpreted; the last one counts"),
      "NAME=STYLE")
      ->group("Stubs");
  one_each(app.add_option("--profile", a.profiles,
                          "With --stubs=hybrid: compile the operations that matter, by what a program run with "
                          "CALLIS_PROFILE=FILE has written"),
           "FILE")
      ->group("Stubs");
  app.add_option("--profile-share", a.share, "How much of a profile's weight is to be compiled")
      ->check(CLI::Range(1, 100))
      ->type_name("PERCENT")
      ->capture_default_str()
      ->group("Stubs");
}

void declare_outputs(CLI::App& app, Arguments& a, Raw& raw) {
  const char* group = "Output";
  app.add_option("-o", a.directory, "Directory for the generated files")
      ->type_name("DIR")
      ->capture_default_str()
      ->group(group);
  const auto mappings = backends::backend_names();
  a.mapping = mappings.empty() ? "" : mappings.front();
  if (!mappings.empty()) {
    app.add_option("--mapping", a.mapping, "Language mapping")
        ->check(CLI::IsMember(std::vector<std::string>(mappings.begin(), mappings.end())))
        ->type_name("")
        ->capture_default_str()
        ->group(group);
  }
  app.add_flag("--no-any", raw.no_any, "Leave out TypeCodes and what puts values into Any")->group(group);
  app.add_flag("--no-ties", raw.no_ties, "Leave out the tie templates")->group(group);
  app.add_flag("--no-skeletons", raw.no_skeletons, "Leave out the server's side")->group(group);
  app.add_flag("--join-skeletons", raw.join_skeletons, "Put the skeletons into the files of the stubs")->group(group);
  app.add_flag("--split-skeletons", raw.split_skeletons,
               "Put the skeletons into files of their own; this is the default but for --style=omniorb")
      ->group(group);
  app.add_flag("--standard-this", raw.standard_this,
               "With --style=omniorb: _this() activates a servant in its default adapter, also if the servant is "
               "active in another one; omniORB's _this() gives the object there is")
      ->group(group);
  app.add_flag("--boa", raw.boa,
               "With --style=omniorb: also classes _sk_X, for servants of the BOA of the component compat_omniorb")
      ->group(group);
}

void declare_names(CLI::App& app, Arguments& a, Raw& raw) {
  const char* group = "Names of files";
  app.add_option(
         "--style", raw.style,
         "callis: x.h x.cpp x_skel.h x_skel.cpp; tao: xC.h xC.cpp xS.h xS.cpp; omniorb: x.hh xSK.cc, with the "
         "skeletons")
      ->check(CLI::IsMember(keys(kStyles)))
      ->type_name("")
      ->capture_default_str()
      ->group(group);
  const auto ending = [&](const char* name, std::string& to, const char* what) {
    app.add_option(name, to, what)->type_name("ENDING")->group(group);
  };
  ending("--header-ending", raw.endings.header, "What follows x, as in .h, .hh or C.h");
  ending("--source-ending", raw.endings.source, "The same of x.cpp");
  ending("--skel-header-ending", raw.endings.skeleton_header, "The same of x_skel.h");
  ending("--skel-source-ending", raw.endings.skeleton_source, "The same of x_skel.cpp");
  ending("--any-source-ending", raw.endings.any_source,
         "Also write such a file, without content: for builds that expect one, as xDynSK.cc of omniidl -Wba");
  ending("--any-header-ending", raw.endings.any_header,
         "Also write a header that includes x.h, as xA.h of tao_idl -GA");
  ending("--tie-header-ending", raw.endings.tie_header,
         "Also write a header that includes x_skel.h, as xS_T.h of tao_idl -GT");
  const auto also = [&](const char* name, std::vector<std::string>& to, const char* what) {
    one_each(app.add_option(name, to, what), "HEADER")->group(group);
  };
  also("--include-first", a.output.include_first, "Generated headers include this before all others");
  also("--include-last", a.output.include_last, "Generated headers include this behind their declarations");
  app.add_option("--include-prefix", a.output.include_prefix, "Put this before generated headers in #include")
      ->type_name("PREFIX")
      ->group(group);
  app.add_flag("--keep-include-paths", a.output.keep_include_paths,
               "#include \"sub/x.idl\" becomes #include \"sub/x.h\", not \"x.h\"")
      ->group(group);
}

void declare_dependencies(CLI::App& app, Arguments& a) {
  const char* group = "Dependencies";
  app.add_flag("--MD,--depfiles", a.depfiles,
               "-MD: write x.d beside the generated files, with what they depend on, in the syntax of make")
      ->group(group);
  app.add_option("--MF,--depfile", a.depfile, "-MF: write one such file for all, with this name")
      ->type_name("FILE")
      ->group(group);
  one_each(app.add_option("--MT", a.targets, "-MT: the target in it, in place of the generated files"), "TARGET")
      ->group(group);
  app.add_flag("--MP", a.phony_targets, "-MP: add a rule without commands for each included file")->group(group);
}

// -MD and the like are words of their own, as in C compilers; CLI11 would take them for -M -D.
std::vector<std::string> with_long_names(int argc, char** argv) {
  std::vector<std::string> given(argv + std::min(argc, 1), argv + argc), words;
  if (const std::string program = argc > 0 ? argv[0] : ""; is_for_omniidl(program, given)) {
    for (const std::string& note : from_omniidl(given)) {
      std::fprintf(stderr, "callis-idl: %s\n", note.c_str());
    }
  }
  if (const std::string program = argc > 0 ? argv[0] : ""; is_for_tao_idl(program, given)) {
    for (const std::string& note : from_tao_idl(given)) {
      std::fprintf(stderr, "callis-idl: %s\n", note.c_str());
    }
  }
  for (const std::string& word : given) {
    const std::string name = word.substr(0, 3);
    if (name == "-MD" || name == "-MP") {
      words.push_back("-" + word);
    } else if (name == "-MF" || name == "-MT") {
      words.push_back("-" + name);
      if (word.size() > 3) {
        words.push_back(word.substr(3));
      }
    } else {
      words.push_back(word);
    }
  }
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  return words;
}

bool is_file_name_part(const std::string& text) {
  return text.find('/') == std::string::npos && text.find('\0') == std::string::npos;
}

void set_endings(Arguments& a, const Raw& raw) {
  const Style& style = kStyles.at(raw.style);
  a.output.endings = style.endings;
  a.output.skeletons = style.skeletons;
  a.output.for_omniorb = style.for_omniorb;
  if (raw.boa && (!style.for_omniorb || raw.no_skeletons))
    throw CLI::ValidationError("--boa needs --style=omniorb, and skeletons");
  a.output.for_boa = raw.boa;
  a.output.for_tao = style.for_tao;
  a.output.this_of_activation = style.for_omniorb && !raw.standard_this;
  if (raw.split_skeletons) {
    a.output.skeletons = Skeletons::Split;
  }
  if (raw.join_skeletons) {
    a.output.skeletons = Skeletons::Joined;
  }
  if (raw.no_skeletons) {
    a.output.skeletons = Skeletons::None;
  }
  backends::FileEndings& to = a.output.endings;
  const std::pair<std::string*, const std::string*> given[] = {
      {&to.header, &raw.endings.header},
      {&to.source, &raw.endings.source},
      {&to.skeleton_header, &raw.endings.skeleton_header},
      {&to.skeleton_source, &raw.endings.skeleton_source},
      {&to.any_source, &raw.endings.any_source},
      {&to.any_header, &raw.endings.any_header},
      {&to.tie_header, &raw.endings.tie_header}};
  for (const auto& [ending, text] : given) {
    if (!text->empty()) {
      *ending = *text;
    }
    if (!ending->empty() && !is_file_name_part(*ending)) {
      throw CLI::ValidationError("'" + *ending + "' is not the end of a file name");
    }
  }
}

void finish(Arguments& a, const Raw& raw) {
  if (raw.stubs != "hybrid" && !(a.stubs_for.empty() && a.profiles.empty())) {
    throw CLI::ValidationError("--stubs-for and --profile need --stubs=hybrid");
  }
  if (raw.syntax_only + raw.preprocess_only + !raw.emit.empty() > 1) {
    throw CLI::ValidationError("only one of --syntax-only, -E and --emit is possible");
  }
  if (raw.no_skeletons + raw.join_skeletons + raw.split_skeletons > 1) {
    throw CLI::ValidationError("only one of --no-skeletons, --join-skeletons and --split-skeletons is possible");
  }
  a.emit = raw.syntax_only       ? Emit::Nothing
           : raw.preprocess_only ? Emit::Preprocessed
           : !raw.emit.empty()   ? kEmits.at(raw.emit)
                                 : Emit::Code;
  if (!a.wants_depfile() && (a.phony_targets || !a.targets.empty())) {
    throw CLI::ValidationError("-MT and -MP need -MD or -MF");
  }
  if (a.wants_depfile() && a.emit != Emit::Code) {
    throw CLI::ValidationError("-MD and -MF are for generated files; see --emit deps");
  }
  a.output.stubs = kStubs.at(raw.stubs);
  a.output.any = !raw.no_any;
  a.output.ties = !raw.no_ties;
  set_endings(a, raw);
}

}  // namespace

Parsed parse_arguments(int argc, char** argv) {
  Parsed parsed;
  Arguments& a = parsed.arguments;
  Raw raw;
  CLI::App app("Compiles CORBA IDL to C++.", "callis-idl");
  declare_inputs(app, a, raw);
  declare_outputs(app, a, raw);
  declare_names(app, a, raw);
  declare_stubs(app, a, raw);
  declare_dependencies(app, a);
  app.set_version_flag("--version", std::string("callis-idl " CALLIS_VERSION));
  try {
    app.parse(with_long_names(argc, argv));
    finish(a, raw);
  } catch (const CLI::ParseError& e) {
    parsed.end = true;
    parsed.status = app.exit(e) == 0 ? 0 : 2;
  }
  return parsed;
}

}  // namespace callis::idl::driver
