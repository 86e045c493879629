// SPDX-License-Identifier: Apache-2.0
// `serve` is the first word, if it is there, and its own options are read elsewhere; options and files may stand
// anywhere.
#include <callis/base/text.h>
#include <services/scheduling/time_text.h>
#include <services/programs/usage.h>
#include <tools/schedule/arguments.h>

namespace callis::scheduling {

namespace {

class ArgumentReader {
 public:
  ArgumentReader(int argc, char** argv) : words_(argv + 1, argv + argc) {}
  ArgumentReader(std::span<const std::string> words, Arguments&& so_far)
      : words_(words.begin(), words.end()), out_(std::move(so_far)) {}

  // One word, with its value.
  std::size_t take_file_words(Arguments& out) {
    const std::string word = words_[0];
    const bool name = word.size() < 2 || word[0] != '-';
    if (name) file(word);
    const bool taken = name || of_files(word);
    out = std::move(out_);
    return taken ? at_ + 1 : 0;
  }

  Arguments run() {
    if (!words_.empty() && words_[0] == "serve") {
      out_.serve = true;
      return std::move(out_);
    }
    for (; at_ < words_.size() && out_.problem.empty(); ++at_) {
      const std::string word = words_[at_];
      if (word.size() < 2 || word[0] != '-')
        file(word);
      else if (!of_output(word) && !of_schedule(word) && !of_files(word))
        out_.problem = programs::unknown_word(word);
    }
    if (out_.problem.empty() && out_.json_files.empty() && out_.idl_files.empty())
      out_.problem = "a file with operations is missing";
    return std::move(out_);
  }

 private:
  void file(const std::string& name) { (name.ends_with(".idl") ? out_.idl_files : out_.json_files).push_back(name); }
  std::string value(const std::string& of) {
    if (at_ + 1 < words_.size()) return words_[++at_];
    out_.problem = of + " needs a value";
    return {};
  }
  // -IDIR or -I DIR
  std::string attached(const std::string& word) { return word.size() > 2 ? word.substr(2) : value(word); }
  std::uint32_t number(const std::string& of, std::uint64_t least, std::uint64_t most) {
    const std::string text = value(of);
    std::uint64_t n = 0;
    if (out_.problem.empty() && (!parse_decimal(text, most, n) || n < least))
      out_.problem = of + " is a number from " + std::to_string(least) + " to " + std::to_string(most) + ", not '" +
                     programs::escaped(text) + "'";
    return static_cast<std::uint32_t>(n);
  }
  template<class E>
  void choice(const std::string& of, E& out, std::pair<const char*, E> first, std::pair<const char*, E> second) {
    const std::string text = value(of);
    if (text == first.first)
      out = first.second;
    else if (text == second.first)
      out = second.second;
    else if (out_.problem.empty())
      out_.problem = of + " is " + first.first + " or " + second.first + ", not '" + programs::escaped(text) + "'";
  }

  bool of_output(const std::string& word) {
    using Output = Arguments::Output;
    if (word == "--table")
      out_.output = Output::Table;
    else if (word == "--json")
      out_.output = Output::Json;
    else if (word == "--header")
      out_.output = Output::Header;
    else if (word == "--svg")
      out_.output = Output::Svg;
    else if (word == "--config")
      out_.output = Output::Configuration;
    else if (word == "--output" || word == "-o")
      out_.output_file = value(word);
    else if (word == "--namespace")
      name_space(value(word));
    else if (word == "--span")
      span(value(word));
    else
      return false;
    return true;
  }
  bool of_schedule(const std::string& word) {
    Options& o = out_.options;
    if (word == "--policy")
      choice<Policy>(word, o.policy, {"rm", Policy::RateMonotonic}, {"dm", Policy::DeadlineMonotonic});
    else if (word == "--levels")
      choice<Sharing>(word, o.sharing, {"shared", Sharing::Shared}, {"each", Sharing::Each});
    else if (word == "--lanes")
      o.most_lanes = number(word, 1, 1000);
    else if (word == "--priorities")
      priorities(value(word));
    else
      return false;
    return true;
  }
  bool of_files(const std::string& word) {
    if (word == "--idl")
      out_.idl_files.push_back(value(word));
    else if (word == "--measured")
      out_.measured_files.push_back(value(word));
    else if (word == "--margin")
      out_.margin_percent = number(word, 0, 1000);
    else if (word.starts_with("-I"))
      out_.preprocess.include_dirs.push_back(attached(word));
    else if (word.starts_with("-D"))
      out_.preprocess.defines.push_back(attached(word));
    else if (word.starts_with("-U"))
      out_.preprocess.undefines.push_back(attached(word));
    else
      return false;
    return true;
  }
  void priorities(const std::string& text) {
    const std::size_t colon = text.find(':');
    std::uint64_t least = 0, greatest = 0;
    const bool good = colon != std::string::npos &&
                      parse_decimal(std::string_view(text).substr(0, colon), 32767, least) &&
                      parse_decimal(std::string_view(text).substr(colon + 1), 32767, greatest) && least <= greatest;
    if (!good && out_.problem.empty())
      out_.problem =
          "--priorities is LEAST:GREATEST, CORBA priorities from 0 to 32767, not '" + programs::escaped(text) + "'";
    out_.options.least_priority = static_cast<std::int32_t>(least);
    out_.options.greatest_priority = static_cast<std::int32_t>(greatest);
  }
  void span(const std::string& text) {
    const auto time = parse_time(text);
    if ((!time || time->count() == 0) && out_.problem.empty())
      out_.problem = "--span is a time such as 200ms, not '" + programs::escaped(text) + "'";
    out_.span = time.value_or(Time(0));
  }
  // Names with "::" between.
  void name_space(const std::string& text) {
    bool good = !text.empty(), begins = true;
    for (std::size_t i = 0; i < text.size() && good; ++i) {
      const char c = text[i];
      if (c == ':' && !begins && text.substr(i, 2) == "::") {
        ++i;
        begins = true;
        continue;
      }
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      good = letter || (c >= '0' && c <= '9' && !begins);
      begins = false;
    }
    if ((!good || begins) && out_.problem.empty())
      out_.problem = "--namespace is a name such as avionics or a::b, not '" + programs::escaped(text) + "'";
    out_.name_space = text;
  }

  const std::vector<std::string> words_;
  std::size_t at_ = 0;
  Arguments out_;
};

}  // namespace

Arguments read_arguments(int argc, char** argv) { return ArgumentReader(argc, argv).run(); }

std::size_t take_file_words(std::span<const std::string> words, Arguments& out) {
  return ArgumentReader(words, std::move(out)).take_file_words(out);
}

}  // namespace callis::scheduling
