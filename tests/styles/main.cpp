// SPDX-License-Identifier: Apache-2.0
// A servant of an interface that inherits from another file's, with the headers named as CMakeLists.txt says: that
// the generated files of each style find one another, compile and link.
#include STYLES_HEADER
#include STYLES_SKELETONS
#include <cstdio>

class Walker : public virtual POA_Styles::Far {
 public:
  Styles::Point where() override { return at_; }
  void go(const Styles::Path& path) override {
    for (CORBA::ULong i = 0; i < path.length(); ++i) at_ = path[i];
  }

 private:
  Styles::Point at_ = {1, 2};
};

int main() {
  Walker walker;
  Styles::Path path(1);
  path.length(1);
  path[0] = {3, 4};
  walker.go(path);
  const Styles::Point p = walker.where();
  std::printf("%d %d\n", p.x, p.y);
  return p.x == 3 && p.y == 4 ? 0 : 1;
}
