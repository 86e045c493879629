// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <tools/call/expected.h>
#include <algorithm>

namespace callis::tools {

namespace {

std::string nearest(const std::string& name, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = name.size() / 2 + 1;
  for (const std::string& k : known) {
    const std::size_t d = edit_distance(name, k);
    if (d < least) {
      least = d;
      best = k;
    }
  }
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

}  // namespace

void wrong(const std::string& path, const std::string& expected, const Json& found) {
  throw WrongJson{path, "expected " + expected + ", found " + describe(found)};
}

std::string part(const std::string& name) { return std::string(Printable(name)); }

void check_names(const Json& json, const std::vector<std::string>& known, const std::string& path) {
  for (const Json::Name& name : json.names) {
    if (std::find(known.begin(), known.end(), name.text) == known.end())
      throw WrongJson{path + "." + part(name.text), "there is no such member" + nearest(name.text, known)};
  }
}

const Json& member(const Json& json, const std::string& name, const std::string& path) {
  const Json* const found = json.find(name);
  if (!found) throw WrongJson{path, "the member '" + name + "' is missing"};
  return *found;
}

}  // namespace callis::tools
