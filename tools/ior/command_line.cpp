// SPDX-License-Identifier: Apache-2.0
#include <tools/ior/command_line.h>
#include <tools/ior/tree.h>
#include <services/programs/site.h>
#include <services/programs/usage.h>
#include <algorithm>

namespace callis::tools {

namespace {

class CommandLineReader final {
 public:
  CommandLineReader(std::span<const Command> commands, std::string_view everywhere, int argc, char** argv)
      : commands_(commands), everywhere_(everywhere), argc_(argc), argv_(argv) {}
  CommandLine read() {
    while (++at_ < argc_ && out_.problem.empty()) take(argv_[at_]);
    if (out_.problem.empty()) check();
    return std::move(out_);
  }

 private:
  void take(const std::string& word) {
    const bool is_name = word.find_first_of("= ") == std::string::npos;
    const std::string own = command_ && is_name ? command_->options : "";
    if (words_only_ || word.size() < 2 || word[0] != '-') {
      take_word(word);
    } else if (word == "--") {
      words_only_ = true;
    } else if (programs::is_orb_option(word)) {
      take_orb_option(word, word);
    } else if (word == "--timeout") {
      take_orb_option("-ORBCallTimeout", word);
    } else if (word == everywhere_ || own.find(" " + word + "= ") != std::string::npos) {
      out_.options[word].push_back(value_of(word));
    } else if (own.find(" " + word + " ") != std::string::npos) {
      out_.options[word].push_back("");
    } else {
      refuse(word);
    }
  }
  void take_word(const std::string& word) {
    if (command_) return out_.words.push_back(word);
    const auto found = std::ranges::find_if(commands_, [&](const Command& c) { return word == c.name; });
    if (found == commands_.end()) {
      out_.problem = "there is no command '" + escaped(word) + "'";
      return;
    }
    command_ = &*found;
    out_.command = word;
  }
  void take_orb_option(const std::string& option, const std::string& as_written) {
    out_.orb.push_back(option);
    out_.orb.push_back(value_of(as_written));
  }
  std::string value_of(const std::string& option) {
    if (++at_ < argc_) return argv_[at_];
    out_.problem = escaped(option) + " needs a value";
    return {};
  }
  void refuse(const std::string& word) { out_.problem = programs::unknown_word(word); }
  void check() {
    if (!command_) out_.problem = "a command is missing";
    else if (out_.words.size() < command_->least) out_.problem = out_.command + " needs more words";
    else if (out_.words.size() > command_->most) refuse(out_.words[command_->most]);
  }

  const std::span<const Command> commands_;
  const std::string_view everywhere_;
  const int argc_;
  char** const argv_;
  int at_ = 0;
  const Command* command_ = nullptr;
  bool words_only_ = false;
  CommandLine out_;
};

}  // namespace

std::string CommandLine::value(const std::string& option, const std::string& otherwise) const {
  const auto found = options.find(option);
  return found == options.end() ? otherwise : found->second.back();
}

std::vector<std::string> CommandLine::values(const std::string& option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::vector<std::string>() : found->second;
}

CommandLine read_command_line(std::span<const Command> commands, std::string_view everywhere, int argc,
                              char** argv) {
  return CommandLineReader(commands, everywhere, argc, argv).read();
}

}  // namespace callis::tools
