// SPDX-License-Identifier: Apache-2.0
// A servant of an interface that inherits from another file's, with the headers named as CMakeLists.txt says: that
// the generated files of each style find one another, compile and link.
#include STYLES_HEADER
#include STYLES_SKELETONS
#include <cstdio>
#include <string>

class Walker : public virtual POA_Styles::Far {
 public:
  Styles::Point where() override { return at_; }
  void go(const Styles::Path& path) override {
    for (CORBA::ULong i = 0; i < path.length(); ++i) at_ = path[i];
  }

 private:
  Styles::Point at_ = {1, 2};
};

#ifdef STYLES_ONE_HEADER  // omniORB's names of parameter types
namespace {

void rename(CORBA::String_INOUT_arg name, CORBA::String_OUT_arg old, CORBA::WString_INOUT_arg wide,
            CORBA::Object_INOUT_arg object) {
  old = CORBA::string_dup(name);
  CORBA::string_free(name);
  name = CORBA::string_dup("new");
  CORBA::wstring_free(wide);
  wide = CORBA::wstring_dup(L"new");
  CORBA::release(object);
  object = CORBA::Object::_nil();
}

bool renames() {
  CORBA::String_var name = CORBA::string_dup("first"), old;
  CORBA::WString_var wide = CORBA::wstring_dup(L"first");
  CORBA::Object_var object;
  rename(name, old, wide.inout(), object.inout());
  return name.in() == std::string("new") && old.in() == std::string("first") && wide.in() == std::wstring(L"new") &&
         BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE != 0;
}

}  // namespace
#ifdef STYLES_COS_NAMING
static_assert(CosNaming::nobject != CosNaming::ncontext);
#endif
#endif

int main(int argc, char** argv) {
#ifdef STYLES_ONE_HEADER  // which has the ORB, too
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  if (!renames()) return 1;
  if (CORBA::is_nil(PortableServer::POA_var(PortableServer::POA::_narrow(root.in())).in())) return 1;
#else
  (void)argc, (void)argv;
#endif
  Walker walker;
  Styles::Path path(1);
  path.length(1);
  path[0] = {3, 4};
  walker.go(path);
  const Styles::Point p = walker.where();
  std::printf("%d %d\n", p.x, p.y);
#ifdef STYLES_ONE_HEADER
  orb->destroy();
#endif
  return p.x == 3 && p.y == 4 ? 0 : 1;
}
