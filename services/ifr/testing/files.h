// SPDX-License-Identifier: Apache-2.0
// What the tests of the repository share.
#pragma once
#include <gtest/gtest.h>
#include <services/ifr/feeding.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace callis::ifr::testing {

inline std::string all_kinds() {
  std::ifstream file(CALLIS_SOURCE_DIR "/services/ifr/testing/all_kinds.idl");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A model that is fed; "" or why not.
struct Fixture {
  Model model;
  TypeCodes type_codes{model};

  explicit Fixture(const Bounds& bounds = {}) : model(bounds) {}
  std::string feed(const std::string& idl, Store* store = nullptr, Fed* fed = nullptr) {
    try {
      const idl::driver::Compilation file = compile_text("test.idl", idl);
      Change change(model);
      const Fed done = ifr::feed(model, type_codes, *file.unit);
      if (fed) *fed = done;
      change.commit(store);
      return "";
    } catch (const NotTaken& n) {
      return n.why;
    }
  }
  const Definition& named(const std::string& name) {
    const Number n = model.lookup(model.at(kRepository), "::" + name);
    if (n == kNone) throw std::runtime_error("no " + name);
    return model.at(n);
  }
};

// A folder that goes when the test ends.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "callis-ifr-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& file) const { return path_ + "/" + file; }

 private:
  std::string path_;
};

// The exception's name and its OMG minor code: "BAD_PARAM 3"; "" for none.
template<class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const CORBA::SystemException& e) {
    return std::string(e._name()) + " " + std::to_string(e.minor() & 0xfff);
  }
  return "";
}

}  // namespace callis::ifr::testing
