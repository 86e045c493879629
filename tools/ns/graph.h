// SPDX-License-Identifier: Apache-2.0
// Graph: contexts and what is bound in them, as plain data: what export writes, and what import makes of a file.
//
// {"callis_names": 1,
//  "contexts": [
//    {"bindings": [{"id": "shop", "context": 1}, {"id": "a", "kind": "k", "object": "IOR:..."},
//                  {"id": "other", "foreign": "IOR:..."}]},
//    {"bindings": []}]}
//
// The first context is the root; "context" is an index into the list, so that contexts may contain each other.
// "foreign" is a context of another name service. Characters up to U+00FF of an id or a kind are its bytes.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callis::ns {

struct Bound {
  enum class Kind { Object, Local, Foreign };
  std::string id, kind_text;
  Kind kind = Kind::Object;
  std::size_t context = 0;  // Local: an index
  std::string reference;    // Object, Foreign: "IOR:..."
};
struct Graph {
  std::vector<std::vector<Bound>> contexts;  // the root first; one at least
};

std::string to_json(const Graph& graph);
// Throws Failure, which says what is wrong; `file` is for its text.
Graph graph_of_json(std::string_view text, const std::string& file);

// A data file of omniNames (omninames-HOST.dat, of older ones .log): what its names are at its end. A last line that
// is not whole, as a process leaves it that is killed, is passed over: `torn` says so. Throws Failure with the line.
Graph graph_of_omninames(std::string_view text, const std::string& file, bool& torn);

}  // namespace callis::ns
