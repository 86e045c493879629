// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/registry.h>
#ifdef CALLIS_IDL_HAS_CLASSIC
#include <idl/backends/classic/classic.h>
#endif

namespace callis::idl::backends {

namespace {

struct Known {
  std::string_view name;
  std::unique_ptr<Backend> (*make)();
};

std::vector<Known> known_backends() {
  std::vector<Known> all;
#ifdef CALLIS_IDL_HAS_CLASSIC
  all.push_back({"classic", make_classic_backend});
#endif
  return all;
}

}  // namespace

std::vector<std::string_view> backend_names() {
  std::vector<std::string_view> names;
  for (const Known& known : known_backends()) {
    names.push_back(known.name);
  }
  return names;
}

std::unique_ptr<Backend> make_backend(std::string_view name) {
  for (const Known& known : known_backends()) {
    if (known.name == name) {
      return known.make();
    }
  }
  return nullptr;
}

}  // namespace callis::idl::backends
