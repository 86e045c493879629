// SPDX-License-Identifier: Apache-2.0
// Files of ACE's service configurator, as far as they have options of the ORB: a directive a line,
//
//   static Resource_Factory "-ORBConnectionCacheMax 100"
//   dynamic Advanced_Resource_Factory Service_Object * TAO_Strategies:_make_...() "-ORBReactorType tp"
//
// or the same in XML: <static id="Resource_Factory" params="..."/>. Services of the program's own get a note.
#include <callis/base/text.h>
#include <tao/options.h>
#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>

namespace callis::compat {

namespace {

constexpr std::size_t kMost = 1 << 20;  // bytes of a file

constexpr std::string_view kFactories[] = {
    "Resource_Factory", "Advanced_Resource_Factory", "Server_Strategy_Factory", "Client_Strategy_Factory",
    "RT_ORB_Loader",    "RT_ORB_Factory",            "ORB_Core_Default_Factory"};
// Others of TAO's that have nothing to say here: what they load is there, or is asked for by including a header.
constexpr std::string_view kNeedless[] = {
    "IORTable_Adapter", "PolicyFactory_Loader", "DynamicAny_Loader", "TypeCodeFactory_Loader", "CodecFactory_Loader",
    "Messaging_Loader", "BiDirGIOP_Loader",     "PI_Server_Loader",  "ORBInitializer_Registry", "UIOP_Factory",
    "ImR_Client_Adapter"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The words of a text; quotes of both kinds hold a word together.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    if (is_blank(text[i])) {
      ++i;
      continue;
    }
    std::string word;
    while (i < text.size() && !is_blank(text[i])) {
      if (text[i] == '"' || text[i] == '\'') {
        const std::size_t end = std::min(text.find(text[i], i + 1), text.size());
        word += text.substr(i + 1, end - i - 1);
        i = std::min(end + 1, text.size());
      } else {
        word += text[i++];
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

void take(const std::string& service, std::string_view parameters, std::string_view place, TaoWords& to) {
  if (service == "SSLIOP_Factory") {
    to.note(concat({place, service, " ", parameters}),
            "it encrypts nothing here; include <callis/tls.h>, and say -ORBTlsCertificate, -ORBTlsKey and -ORBTlsCA");
  } else if (std::ranges::find(kFactories, service) != std::end(kFactories)) {
    std::vector<std::string> words = words_of(parameters);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "-RTORBNetworkPriorityMapping" && i + 1 < words.size()) {
        to.words.insert(to.words.end(), {"-ORBNetworkPriorityMapping", words[i + 1]});
        const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
        words.erase(at, at + 2);
        --i;
      }
    }
    translate(words, TaoPlace::SvcConf, place, to);
  } else if (std::ranges::find(kNeedless, service) == std::end(kNeedless)) {
    to.note(concat({place, service}), "services of the program's own are not loaded");
  }
}

void read_line(std::string_view line, std::string_view place, TaoWords& to) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty() || words[0][0] == '#') return;
  const std::size_t quote = line.find('"');
  const std::size_t end = quote == line.npos ? line.npos : line.find('"', quote + 1);
  const std::string_view parameters =
      quote == line.npos ? std::string_view() : line.substr(quote + 1, end == line.npos ? end : end - quote - 1);
  const bool known = words[0] == "static" || words[0] == "dynamic";
  if (known && words.size() > 1) take(words[1], parameters, place, to);
  else to.note(concat({place, words[0]}), "no directive with options of the ORB");
}

// The value of the attribute in an element's text; empty if there is none.
std::string attribute(std::string_view element, std::string_view name) {
  for (std::size_t at = element.find(name); at != element.npos; at = element.find(name, at + 1)) {
    std::size_t i = at + name.size();
    if (at == 0 || !is_blank(element[at - 1])) continue;
    while (i < element.size() && is_blank(element[i])) ++i;
    if (i >= element.size() || element[i] != '=') continue;
    for (++i; i < element.size() && is_blank(element[i]);) ++i;
    if (i >= element.size() || (element[i] != '"' && element[i] != '\'')) continue;
    const std::size_t end = element.find(element[i], i + 1);
    if (end == element.npos) return {};
    return std::string(element.substr(i + 1, end - i - 1));
  }
  return {};
}

void read_xml(std::string_view text, std::string_view place, TaoWords& to) {
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      at = std::min(text.find("-->", at), text.size() - 1);
      continue;
    }
    const std::string_view element = rest.substr(0, rest.find('>'));
    if (element.starts_with("<static") || element.starts_with("<dynamic"))
      take(attribute(element, "id"), attribute(element, "params"), place, to);
  }
}

}  // namespace

void read_directives(std::string_view text, const std::string& name, TaoWords& to) {
  if (text.find("<?xml") != text.npos || text.find("<ACE_Svc_Conf") != text.npos)
    return read_xml(text, concat({name, ": "}), to);
  unsigned number = 0;
  while (!text.empty()) {
    // A line that ends with '\' goes on.
    std::string line;
    bool more = true;
    const unsigned first = number + 1;
    while (more && !text.empty()) {
      std::string_view one = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(one.size() + 1, text.size()));
      ++number;
      if (one.ends_with('\r')) one.remove_suffix(1);
      more = one.ends_with('\\');
      if (more) one.remove_suffix(1);
      line += one;
    }
    read_line(line, concat({name, ":", Decimal(first), ": "}), to);
  }
}

bool read_svc_conf(const std::string& path, TaoWords& to) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return false;
  std::string text(kMost + 1, '\0');
  std::size_t size = 0;
  ssize_t n = 1;
  while (n > 0 && size < text.size()) {
    n = ::read(fd, text.data() + size, text.size() - size);
    if (n < 0 && errno == EINTR) n = 1;
    else if (n > 0) size += static_cast<std::size_t>(n);
  }
  ::close(fd);
  text.resize(size);
  const bool good = n == 0 && size <= kMost;
  if (good) read_directives(text, path, to);
  return good;
}

}  // namespace callis::compat
