// SPDX-License-Identifier: Apache-2.0
// Options stand anywhere, and take their values from the next word, or behind '='.
#include <callis/base/text.h>
#include <services/common/service_arguments.h>
#include <services/programs/usage.h>
#include <algorithm>

namespace callis::services {

namespace {

[[noreturn]] void wrong(const std::string& text) { throw ProgramFailed{kWrongUsage, text}; }

std::uint64_t number_in(const std::string& name, const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t out = 0;
  if (!parse_decimal(text, most, out) || out < least)
    wrong(name + " is a number from " + std::to_string(least) + " to " + std::to_string(most) + ", not '" +
          programs::escaped(text) + "'");
  return out;
}

// "64M": bytes, or as many K, M or G of them.
std::uint64_t size_in(const std::string& name, const std::string& text, std::uint64_t least) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
  std::string digits = text;
  unsigned shift = 0;
  if (!digits.empty())
    switch (digits.back() | 0x20) {
      case 'k': shift = 10; break;
      case 'm': shift = 20; break;
      case 'g': shift = 30; break;
      default: break;
    }
  if (shift != 0) digits.pop_back();
  std::uint64_t out = 0;
  if (!parse_decimal(digits, kMost >> shift, out) || out << shift < least)
    wrong(name + " is a size of at least " + std::to_string(least >> 20) + "M, as 512M or 20G, not '" +
          programs::escaped(text) + "'");
  return out << shift;
}

constexpr std::uint64_t kLeastMaxDisk = 16u << 20, kLeastMemory = 1u << 20;

}  // namespace

std::string Options::value(const std::string& name, const std::string& otherwise) const {
  const auto found = all_.find(name);
  return found == all_.end() ? otherwise : found->second.back();
}

std::vector<std::string> Options::values(const std::string& name) const {
  const auto found = all_.find(name);
  return found == all_.end() ? std::vector<std::string>() : found->second;
}

std::uint64_t Options::number(const std::string& name, std::uint64_t otherwise, std::uint64_t least,
                              std::uint64_t most) const {
  return has(name) ? number_in(name, value(name), least, most) : otherwise;
}

ServiceArguments::ServiceArguments(int argc, char** argv, const ServiceDescription& description)
    : rules(description.admin) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    if (word.starts_with("--") && equals != std::string::npos) {  // --name=value
      words_.push_back(word.substr(0, equals));
      words_.push_back(word.substr(equals + 1));
    } else {
      words_.push_back(word);
    }
  }
  for (; at_ < words_.size(); ++at_) {
    const std::string word = words_[at_];
    if (description.take)
      if (const std::size_t taken = description.take(std::span<const std::string>(words_).subspan(at_))) {
        at_ += taken - 1;
        continue;
      }
    if (word.size() < 2 || word[0] != '-') {
      if (description.words.empty()) wrong(programs::unknown_word(word));
      own.words_.push_back(word);
    } else if (!take_common(word, description) && !take_own(word, description)) {
      wrong(programs::unknown_word(word));
    }
  }
  if (json && !stats && !help && !version) wrong("--json is the form of what --stats prints");
}

std::string ServiceArguments::value(const std::string& of) {
  if (at_ + 1 >= words_.size()) wrong(of + " needs a value");
  return words_[++at_];
}

bool ServiceArguments::take_common(const std::string& word, const ServiceDescription& description) {
  if (word == "--help" || word == "-h") {
    help = true;
  } else if (word == "--version") {
    version = true;
  } else if (word == "--store" && (description.store_kind || description.own_store)) {
    store = value(word);
    if (store.empty() || store == "sqlite:")
      wrong(std::string("--store needs the name of a file") + (description.own_store ? "" : ", or etcd:HOST:PORT"));
  } else if (word == "--max-disk" && (description.store_kind || description.own_store)) {
    max_disk_bytes = size_in(word, value(word), kLeastMaxDisk);
  } else if (word == "--keep-damaged-aside" && description.store_kind) {
    keep_damaged_aside = true;
  } else if (word == "--allow") {
    const std::string problem = rules.add(value(word));
    if (!problem.empty()) wrong("--allow: " + programs::escaped(problem));
  } else if (word == "--allow-dry-run") {
    rules.set_dry_run();
  } else if (word == "--tls") {
    tls = value(word);
    if (tls.empty()) wrong("--tls needs the name of a folder");
  } else if (word == "--max-memory") {
    memory.all = size_in(word, value(word), kLeastMemory);
  } else if (word == "--max-memory-each") {
    memory.each = size_in(word, value(word), kLeastMemory);
  } else if (word == "--ior-file") {
    ior_file = value(word);
  } else if (word == "--publish") {
    orb.push_back("-ORBPublish");
    orb.push_back(value(word));
  } else if (word == "--log") {
    const std::string form = value(word);
    if (form != "text" && form != "json") wrong("--log is text or json, not '" + programs::escaped(form) + "'");
    log = form == "json" ? LogForm::Json : LogForm::Text;
  } else if (word == "--stats") {
    stats = true;
    stats_of = value(word);
  } else if (word == "--json") {
    json = true;
  } else if (word == "--stats-every") {
    stats_every = number_in(word, value(word), 1, 86'400);
  } else if (word.starts_with("-ORB")) {
    orb.push_back(word);
    orb.push_back(value(word));
  } else {
    return false;
  }
  return true;
}

bool ServiceArguments::take_own(const std::string& word, const ServiceDescription& description) {
  const auto found = std::find_if(description.options.begin(), description.options.end(),
                                  [&](const OwnOption& o) { return o.name == word; });
  if (found == description.options.end()) return false;
  std::vector<std::string>& values = own.all_[word];
  if (!values.empty() && !found->several) wrong(word + " is given twice");
  values.push_back(found->value.empty() ? std::string() : value(word));
  return true;
}

}  // namespace callis::services
