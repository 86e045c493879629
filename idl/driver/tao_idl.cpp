// SPDX-License-Identifier: Apache-2.0
// tao_idl's options, by the guide to TAO's IDL compiler.
#include <idl/driver/tao_idl.h>
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace callis::idl::driver {

namespace {

// An option. takes: whether the next word is its value. ours: in callis-idl's words; a value goes behind it. note:
// said where the option is left out and that changes something. Neither: callis-idl does so anyway, or the option is
// about a choice that it has not.
struct TaoOption {
  std::string_view name;
  bool takes = false;
  const char* ours = nullptr;
  const char* note = nullptr;
};

constexpr const char kNoAsync[] = "there are no sendc_ operations and reply handlers; use threads, or the DII's "
                                  "deferred calls";
constexpr const char kNoFrame[] = "no frame of a servant is written";
constexpr const char kOneFolder[] = "all files go into the folder of -o";
constexpr const char kNoComponents[] = "components are accepted in IDL, and no code is written for them";
constexpr const char kNoInline[] = "there are no inline files";
constexpr const char kNoTemplateSource[] = "ties are whole in their header";

constexpr TaoOption kTaoOptions[] = {
    // Names of files
    {"-hc", true, "--header-ending="},
    {"-cs", true, "--source-ending="},
    {"-hs", true, "--skel-header-ending="},
    {"-ss", true, "--skel-source-ending="},
    {"-hT", true, "--tie-header-ending="},
    {"-ah", true, "--any-header-ending="},
    {"-as", true, "--any-source-ending="},
    {"-ci", true, nullptr, kNoInline},
    {"-si", true, nullptr, kNoInline},
    {"-st", true, nullptr, kNoInline},
    {"-sT", true, nullptr, kNoTemplateSource},
    {"-oA", true, nullptr, kOneFolder},
    {"-oE", true, nullptr, kOneFolder},
    {"-oN"},
    {"-oS", true, nullptr, kOneFolder},
    {"-iC", true, nullptr, "generated headers include each other as the IDL files do"},
    // Generated code
    {"-GA"},  // finish() looks at this and the next
    {"-GX"},
    {"-GT"},
    {"-GC", false, nullptr, kNoAsync},
    {"-GM", false, nullptr, kNoAsync},
    {"-GH", false, nullptr, "there are no handlers of asynchronous methods; a servant may wait"},
    {"-GI", false, nullptr, kNoFrame},
    {"-GIh", true, nullptr, kNoFrame},
    {"-GIs", true, nullptr, kNoFrame},
    {"-GIb", true, nullptr, kNoFrame},
    {"-GIe", true, nullptr, kNoFrame},
    {"-GIc", false, nullptr, kNoFrame},
    {"-GIa", false, nullptr, kNoFrame},
    {"-GId", false, nullptr, kNoFrame},
    {"-Gsp", false, nullptr, "there are no smart proxies; derive from the _var's class in your code"},
    {"-Gcl", false, nullptr, kNoComponents},
    {"-Gcm", false, nullptr, kNoComponents},
    {"-Gex", false, nullptr, kNoComponents},
    {"-Gexr", false, nullptr, kNoComponents},
    {"-GxhS", false, nullptr, "no header with an export macro is written"},
    {"-Gxhst", false, nullptr, "no header with an export macro is written"},
    {"-Gxhsk", false, nullptr, "no header with an export macro is written"},
    {"-Gxhex", false, nullptr, "no header with an export macro is written"},
    {"-Gos", false, nullptr, "values have no ostream operators of their own, exceptions have"},
    {"-Gstl", false, nullptr, "sequences are the classic mapping's; to<std::vector<T>>() copies them"},
    {"-Ge", true},
    {"-Gi"},
    {"-Gc"},
    {"-Gd"},
    {"-Gp"},
    {"-Gt"},
    {"-Gv"},
    {"-Gce"},
    {"-Gmc"},
    {"-Gse"},
    {"-Gsd"},
    {"-Gsv"},
    {"-Guc"},
    {"-Gud"},
    {"-Gat"},
    {"-Glem"},
    {"-H", true},
    {"-g", true},
    {"-t", true},
    // Parts that are left out
    {"-SS", false, "--no-skeletons"},
    {"-Sc", false, "--no-ties"},
    {"-St", false, "--no-any"},
    {"-Sa"},
    {"-Sal"},
    {"-Sat"},
    {"-Scdr"},
    {"-Sci"},
    {"-Sd"},
    {"-Se"},
    {"-Seb"},
    {"-Sfr"},
    {"-Sg"},
    {"-Sk"},
    {"-Sm"},
    {"-Sp"},
    {"-Sorb"},
    {"-Ssh"},
    {"-Sv"},
    // The rest
    {"-V", false, "--version"},
    {"-u", false, "--help"},
    {"-d", false, "--emit=ast"},
    {"-Cw"},
    {"-Ce"},
    {"-ic"},
    {"-in"},
    {"-v"},
    {"-w"},
    {"-b"},
    {"-f"},
    {"--tao"},
};

// Behind -Wb, with their values. Export from DLLs of Windows means nothing here, except the headers.
constexpr TaoOption kTaoBackEndOptions[] = {
    {"export_include=", true, "--include-first="},
    {"stub_export_include=", true, "--include-first="},
    {"skel_export_include=", true, "--include-first="},
    {"anyop_export_include=", true, "--include-first="},
    {"pch_include=", true, "--include-first="},
    {"pre_include=", true, "--include-first="},
    {"post_include=", true, "--include-last="},
    {"versioning_include=", true, "--include-first="},
    {"export_macro=", true},
    {"stub_export_macro=", true},
    {"skel_export_macro=", true},
    {"anyop_export_macro=", true},
    {"svnt_export_macro=", true},
    {"svnt_export_include=", true},
    {"exec_export_macro=", true},
    {"exec_export_include=", true},
    {"conn_export_macro=", true},
    {"conn_export_include=", true},
    {"include_guard=", true},
    {"safe_include=", true},
    {"unique_include=", true, nullptr, "generated headers have includes of their own"},
    {"stripped_filename=", true, nullptr, "generated files have the name of the IDL file"},
    {"no_fixed_err"},
    {"obv_opt_accessor"},
    {"gen_ostream_operators"},
    {"no_static_link"},
    {"versioning_begin=", true, nullptr, "the names of IDL are not put into a namespace with a version"},
    {"versioning_end=", true, nullptr, "the names of IDL are not put into a namespace with a version"},
};

class TaoTranslation {
 public:
  std::vector<std::string> words, notes;

  // Returns whether the next word was its value.
  bool take(const std::string& word, const std::string* next) {
    if (word.starts_with("-Wb")) return for_each_part(word.substr(3), &TaoTranslation::back_end), false;
    if (word.starts_with("-Wp")) return for_each_part(word.substr(3), &TaoTranslation::preprocessor), false;
    if (word.starts_with("-A") || word.starts_with("-Yp"))
      return note(word, "callis-idl has a preprocessor of its own"), false;
    if (word == "-o" && next) return words.push_back("-o" + *next), true;
    const auto* const o = std::ranges::find(kTaoOptions, std::string_view(word), &TaoOption::name);
    // A second '-': else -hx would be taken as -h, and print the help.
    const bool wrong = o == std::end(kTaoOptions) ? word.starts_with("-h") : o->takes && !next;
    if (wrong) return words.push_back("-" + word), false;
    if (o == std::end(kTaoOptions)) return words.push_back(word), false;
    if (o->ours) words.push_back(o->ours + (o->takes ? *next : std::string()));
    else if (o->note) note(word, o->note);
    any_ |= word == "-GA";
    ties_ |= word == "-GT";
    return o->takes;
  }

  void finish() {
    // tao_idl includes generated headers by the paths of the IDL files.
    for (const char* own : {"--keep-include-paths", "--style=tao"})
      if (std::ranges::find(words, own) == words.end()) words.insert(words.begin(), own);
    const auto gives = [this](std::string_view option) {
      return std::ranges::any_of(words, [&](const std::string& w) { return w.starts_with(option); });
    };
    if (any_ && !gives("--any-source-ending=")) words.push_back("--any-source-ending=A.cpp");
    if (any_ && !gives("--any-header-ending=")) words.push_back("--any-header-ending=A.h");
    if (ties_ && !gives("--tie-header-ending=")) words.push_back("--tie-header-ending=S_T.h");
  }

 private:
  void note(std::string_view word, const char* why) {
    std::string line = std::string(word) + " is ignored: " + why;
    if (std::ranges::find(notes, line) == notes.end()) notes.push_back(std::move(line));
  }

  void for_each_part(std::string_view parts, void (TaoTranslation::*take_part)(std::string_view)) {
    while (!parts.empty()) {
      const std::size_t comma = std::min(parts.find(','), parts.size());
      if (comma != 0) (this->*take_part)(parts.substr(0, comma));
      parts.remove_prefix(std::min(comma + 1, parts.size()));
    }
  }

  void back_end(std::string_view part) {
    const std::size_t end = std::min(part.find('='), part.size() - 1) + 1;  // behind '='
    const auto* const o = std::ranges::find(kTaoBackEndOptions, part.substr(0, end), &TaoOption::name);
    if (o == std::end(kTaoBackEndOptions)) words.push_back("-Wb," + std::string(part));
    else if (o->ours) words.push_back(o->ours + std::string(part.substr(end)));
    else if (o->note) note("-Wb," + std::string(part), o->note);
  }

  void preprocessor(std::string_view word) {
    const std::string_view kind = word.substr(0, 2);
    if (kind == "-D" || kind == "-I" || kind == "-U") words.push_back(std::string(word));
    else note("-Wp," + std::string(word), "callis-idl has a preprocessor of its own");
  }

  bool any_ = false, ties_ = false;
};

}  // namespace

bool is_for_tao_idl(const std::string& program, const std::vector<std::string>& words) {
  return program.substr(program.rfind('/') + 1) == "tao_idl" || std::ranges::find(words, "--tao") != words.end();
}

std::vector<std::string> from_tao_idl(std::vector<std::string>& words) {
  TaoTranslation to;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool more = i + 1 < words.size();
    // -I, -D and -U may stand apart from their values.
    if (more && words[i].size() == 2 && words[i].find_first_of("IDU") == 1) {
      to.words.push_back(words[i]);
      to.words.push_back(words[++i]);
    } else if (to.take(words[i], more ? &words[i + 1] : nullptr)) {
      ++i;
    }
  }
  to.finish();
  words = std::move(to.words);
  return std::move(to.notes);
}

}  // namespace callis::idl::driver
