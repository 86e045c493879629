// SPDX-License-Identifier: Apache-2.0
// Data files of omniNames. A line is one change: words with single blanks between them, in which a backslash stands
// before a blank or a backslash, and \n, \t and \r are what they are in C.
//
//   port 2809                              persistent HEX
//   create ID                              ID: the object id of a context in hexadecimal; the first one is the root
//   destroy IOR                            IOR: of a context
//   bind IOR id kind nobject|ncontext IOR  in the context of the first IOR; also in place of what was bound
//   unbind IOR id kind
//
// The object key of a context ends with its id.
#include <callis/ior/ior.h>
#include <tools/ns/arguments.h>
#include <tools/ns/graph.h>
#include <map>
#include <utility>

namespace callis::ns {

namespace {

class OmniNames {
 public:
  OmniNames(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  Graph read(bool& torn) {
    torn = false;
    while (!rest_.empty()) {
      ++line_;
      std::vector<std::string> words;
      if (!next_line(words)) {
        torn = true;
        break;
      }
      take(words);
    }
    if (order_.empty()) fail("there is no context in it: a data file of omniNames has lines \"create ...\"");
    return reachable();
  }

 private:
  struct Target {
    bool context = false;
    std::string reference;
  };
  using Names = std::map<std::pair<std::string, std::string>, Target>;

  [[noreturn]] void fail(const std::string& what) const {
    throw Failure{kCannot, file_ + ":" + std::to_string(line_) + ": " + what};
  }

  // False: the file ends within the line.
  bool next_line(std::vector<std::string>& words) {
    std::string word;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      char c = rest_[i];
      if (c == '\n' || c == ' ') {
        words.push_back(std::exchange(word, {}));
        if (c == ' ') continue;
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (c == '\\') {
        if (++i == rest_.size()) return false;
        c = rest_[i];
        if (c == 'n' || c == 't' || c == 'r') {
          c = c == 'n' ? '\n' : c == 't' ? '\t' : '\r';
        } else if (c != '\\' && c != ' ') {
          fail("an escape that omniNames does not write");
        }
      }
      word += c;
    }
    return false;
  }

  void take(const std::vector<std::string>& words) {
    const std::string& what = words[0];
    const auto is = [&](const char* name, std::size_t n) {
      if (what != name) return false;
      if (words.size() != n) fail("'" + what + "' has " + std::to_string(n - 1) + " words behind it");
      return true;
    };
    if (is("port", 2) || is("persistent", 2)) return;
    if (is("create", 2)) {
      const std::string id = bytes(words[1]);
      if (id.empty()) fail("an empty object id");
      if (all_.try_emplace(id).second) order_.push_back(id);
    } else if (is("destroy", 2)) {
      all_.erase(context_of(words[1]));
    } else if (is("bind", 6)) {
      if (words[4] != "nobject" && words[4] != "ncontext") fail("a binding is 'nobject' or 'ncontext'");
      all_[context_of(words[1])][{words[2], words[3]}] = {words[4] == "ncontext", words[5]};
    } else if (is("unbind", 4)) {
      all_[context_of(words[1])].erase({words[2], words[3]});
    } else {
      fail("no line of a data file of omniNames");
    }
  }

  std::string bytes(const std::string& hex) const {
    std::string out;
    if (hex.size() % 2 != 0) fail("an odd number of hexadecimal digits");
    for (std::size_t i = 0; i < hex.size(); i += 2) {
      const int high = digit(hex[i]), low = digit(hex[i + 1]);
      if (high < 0 || low < 0) fail("an object id that is not hexadecimal");
      out += static_cast<char>(high << 4 | low);
    }
    return out;
  }
  static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  // The context whose id the reference's key ends with, or nullptr.
  const std::string* find_context(const std::string& reference) const {
    const ior::ParsedReference parsed = ior::parse_reference(reference);
    const ior::Ior* const ior = std::get_if<ior::Ior>(&parsed);
    if (!ior) fail("a reference that is none: " + std::get<ior::TextError>(parsed).text());
    for (const ior::TaggedProfile& p : ior->profiles) {
      ByteView key;
      if (ior::find_object_key(p.tag, p.data, key) != Fault::None) continue;
      const std::string_view text(reinterpret_cast<const char*>(key.data()), key.size());
      for (std::size_t skip = 0; skip < text.size() && skip <= 4; ++skip) {
        const auto found = all_.find(std::string(text.substr(skip)));
        if (found != all_.end()) return &found->first;
      }
    }
    return nullptr;
  }
  std::string context_of(const std::string& reference) const {
    const std::string* const found = find_context(reference);
    if (!found) fail("a context that was not created, or has been destroyed");
    return *found;
  }

  // The root and what names lead to from there.
  Graph reachable() const {
    Graph out;
    std::map<std::string, std::size_t> numbers{{order_.front(), 0}};
    std::vector<std::string> to_do{order_.front()};
    for (std::size_t i = 0; i < to_do.size(); ++i) {
      out.contexts.emplace_back();
      const auto context = all_.find(to_do[i]);
      if (context == all_.end()) continue;
      for (const auto& [name, target] : context->second) {
        Bound b{name.first, name.second, Bound::Kind::Object, 0, target.reference};
        if (const std::string* const id = target.context ? find_context(target.reference) : nullptr) {
          const auto [number, is_new] = numbers.try_emplace(*id, to_do.size());
          if (is_new) to_do.push_back(*id);
          b.kind = Bound::Kind::Local;
          b.context = number->second;
          b.reference.clear();
        } else if (target.context) {
          b.kind = Bound::Kind::Foreign;
        }
        out.contexts.back().push_back(std::move(b));
      }
    }
    return out;
  }

  std::string_view rest_;
  const std::string& file_;
  std::size_t line_ = 0;
  std::map<std::string, Names> all_;
  std::vector<std::string> order_;  // ids as they were created
};

}  // namespace

Graph graph_of_omninames(std::string_view text, const std::string& file, bool& torn) {
  return OmniNames(text, file).read(torn);
}

}  // namespace callis::ns
