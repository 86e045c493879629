// SPDX-License-Identifier: Apache-2.0
// omniidl's options, by chapter 5 of omniORB's user guide.
#include <idl/driver/omniidl.h>
#include <algorithm>
#include <string_view>

namespace callis::idl::driver {

namespace {

// Of the back end, behind -Wb. ours: nullptr if there is no such option here. note: nullptr where leaving the option
// out changes nothing.
struct BackEndOption {
  std::string_view name;
  const char* ours;
  const char* note;
};
constexpr BackEndOption kBackEndOptions[] = {
    {"h=", "--header-ending=", nullptr},
    {"s=", "--source-ending=", nullptr},
    {"keep_inc_path", "--keep-include-paths", nullptr},
    {"tp", nullptr, nullptr},  // ties are made always
    {"use_quotes", nullptr, nullptr},
    {"virtual_objref", nullptr, nullptr},
    {"impl_mapping", nullptr, nullptr},
    {"splice_modules", nullptr, nullptr},
    {"shortcut", nullptr, nullptr},
    {"debug", nullptr, nullptr},
    {"tf", nullptr, "ties have the standard's names, as POA_M::I_tie, not flattened ones"},
    {"ami", nullptr, "there are no sendc_ and sendp_ operations; use threads, or the DII's deferred calls"},
    {"BOA", "--boa", nullptr},
    {"example", nullptr, "no example of a servant is written"},
    {"inline", nullptr, "each included file is compiled on its own"},
    {"old", nullptr, "skeletons have the signatures of CORBA 2.3 and later"},
    {"old_prefix", nullptr, "C++ keywords have the prefix _cxx_"},
    {"F", nullptr, "no fragments are written"},
};

// Those without an argument, beside the ones that callis-idl has.
struct FrontEndOption {
  std::string_view name;
  const char* ours;
  const char* note;
};
constexpr FrontEndOption kFrontEndOptions[] = {
    {"-d", "--emit=ast", nullptr},
    {"-V", "--version", nullptr},
    {"-u", "--help", nullptr},
    {"-nf", nullptr, nullptr},
    {"-nc", nullptr, nullptr},
    {"-k", nullptr, nullptr},
    {"-K", nullptr, nullptr},
    {"-T", nullptr, nullptr},
    {"-v", nullptr, nullptr},
    {"-q", nullptr, nullptr},
    {"-N", nullptr, "files always go through the preprocessor"},
};

class Translation {
 public:
  std::vector<std::string> words, notes;

  void take(const std::string& word, const std::string* next, bool& took_next) {
    if (word == "-bcxx") return;
    if (word.starts_with("-b")) {
      words.push_back("--mapping=" + word.substr(2));
    } else if (word.starts_with("-Wb")) {
      for_each_part(word.substr(3), [this](std::string_view part) { back_end(part); });
    } else if (word.starts_with("-Wp")) {
      for_each_part(word.substr(3), [this](std::string_view part) { preprocessor(part); });
    } else if (word.starts_with("-C")) {
      took_next = word.size() == 2 && next;
      words.push_back("-o" + (took_next ? *next : word.substr(2)));
    } else if (word.starts_with("-p") || word.starts_with("-Y")) {
      note(word, "there are no back ends and preprocessors to be found elsewhere");
    } else if (word.starts_with("-n") || (word.starts_with("-") && word.size() == 2)) {
      front_end(word);
    } else {
      words.push_back(word);
    }
  }

  void finish() {
    if (std::ranges::none_of(words, [](const std::string& w) { return w.starts_with("--style"); }))
      words.insert(words.begin(), "--style=omniorb");
    // omniidl writes the file with -Wba alone, but not if it has the name of the other one.
    if (any_ && any_ending_ != source_ending_) words.insert(words.begin(), "--any-source-ending=" + any_ending_);
  }

 private:
  template <class Do>
  static void for_each_part(std::string_view parts, Do&& take_part) {
    while (!parts.empty()) {
      const std::size_t comma = std::min(parts.find(','), parts.size());
      take_part(parts.substr(0, comma));
      parts.remove_prefix(std::min(comma + 1, parts.size()));
    }
  }

  void note(std::string_view word, const char* why) {
    notes.push_back(std::string(word) + " is ignored: " + why);
  }

  void front_end(const std::string& word) {
    const auto* const o = std::ranges::find(kFrontEndOptions, word, &FrontEndOption::name);
    if (o == std::end(kFrontEndOptions) || o->ours) words.push_back(o == std::end(kFrontEndOptions) ? word : o->ours);
    else if (o->note) note(word, o->note);
  }

  void preprocessor(std::string_view word) {
    const std::string_view kind = word.substr(0, 2);
    if (kind == "-D" || kind == "-I" || kind == "-U") words.push_back(std::string(word));
    else note("-Wp" + std::string(word), "callis-idl has a preprocessor of its own");
  }

  void back_end(std::string_view part) {
    std::string name(part.substr(0, part.find('=') + 1));  // with the '='
    if (name.empty()) name = part;
    std::ranges::replace(name, '-', '_');
    const std::string value(part.substr(std::min(name.size(), part.size())));
    if (name == "a" || name == "d=") {
      any_ |= name == "a";
      if (name == "d=") any_ending_ = value;
      return;
    }
    if (name == "s=") source_ending_ = value;
    const auto* const o = std::ranges::find(kBackEndOptions, name, &BackEndOption::name);
    if (o == std::end(kBackEndOptions)) words.push_back("-Wb" + std::string(part));
    else if (o->ours) words.push_back(o->ours + value);
    else if (o->note) note("-Wb" + std::string(part), o->note);
  }

  bool any_ = false;
  std::string any_ending_ = "DynSK.cc", source_ending_ = "SK.cc";
};

}  // namespace

bool is_for_omniidl(const std::string& program, const std::vector<std::string>& words) {
  const std::string name = program.substr(program.rfind('/') + 1);
  return name == "omniidl" ||
         std::ranges::any_of(words, [](const std::string& w) { return w.starts_with("-b") && w.size() > 2; });
}

std::vector<std::string> from_omniidl(std::vector<std::string>& words) {
  Translation to;
  for (std::size_t i = 0; i < words.size(); ++i) {
    // -I, -D and -U may stand apart from their values.
    bool took_next = words[i].size() == 2 && words[i].find_first_of("IDU") == 1 && i + 1 < words.size();
    if (took_next) {
      to.words.push_back(words[i]);
      to.words.push_back(words[i + 1]);
    } else {
      to.take(words[i], i + 1 < words.size() ? &words[i + 1] : nullptr, took_next);
    }
    i += took_next;
  }
  to.finish();
  words = std::move(to.words);
  return std::move(to.notes);
}

}  // namespace callis::idl::driver
