// SPDX-License-Identifier: Apache-2.0
// ls, tree, resolve. Contexts may contain themselves, in any number of steps: each is shown once on the way to it.
#include <callis/orb/client/reference.h>
#include <tools/ns/commands.h>
#include <algorithm>
#include <cstdio>

namespace callis::ns {

namespace {

constexpr std::size_t kMostLevels = 64;

class Listing {
 public:
  Listing(const Session& session, bool details) : session_(session), details_(details) {}

  void flat(CosNaming::NamingContext_ptr context, const std::string& prefix, bool recursive) {
    for (const Entry& e : Session::list(context)) {
      std::printf("%s%s%s\n", shown(prefix + e.text()).c_str(), e.context ? "/" : "", type_of(context, e).c_str());
      if (!e.context || !recursive) continue;
      within(context, e, [&](CosNaming::NamingContext_ptr in) { flat(in, prefix + e.text() + "/", true); });
    }
  }

  void indented(CosNaming::NamingContext_ptr context, const std::string& before) {
    const std::vector<Entry> all = Session::list(context);
    for (const Entry& e : all) {
      const bool last = &e == &all.back();
      std::printf("%s%s%s%s%s", before.c_str(), last ? "└── " : "├── ", shown(e.text()).c_str(), e.context ? "/" : "",
                  type_of(context, e).c_str());
      bool entered = false;
      const auto down = [&](CosNaming::NamingContext_ptr in) {
        entered = true;
        std::printf("\n");
        indented(in, before + (last ? "    " : "│   "));
      };
      if (e.context) within(context, e, down);
      if (!entered) std::printf(e.context ? "  (see above, or cannot be asked)\n" : "\n");
    }
  }

  // Enters a context, unless the way there has led through it already.
  template <class F>
  void within(CosNaming::NamingContext_ptr context, const Entry& e, F&& f) {
    const CosNaming::NamingContext_var in = Session::resolve_context(context, e);
    const std::string it = session_.identity(in.in());
    if (way_.size() >= kMostLevels || std::find(way_.begin(), way_.end(), it) != way_.end()) return;
    way_.push_back(it);
    try {
      f(in.in());
    } catch (const CORBA::SystemException& problem) {
      std::fflush(stdout);
      std::fprintf(stderr, "callis ns: what is in '%s' is not known: %s\n", shown(e.text()).c_str(), problem.what());
    }
    way_.pop_back();
  }
  void begin(CosNaming::NamingContext_ptr context) { way_.push_back(session_.identity(context)); }

 private:
  std::string type_of(CosNaming::NamingContext_ptr context, const Entry& e) const {
    if (!details_) return {};
    const CORBA::Object_var object = Session::resolve(context, e);
    if (CORBA::is_nil(object.in())) return "  nil";
    const std::string type = object->_interface_repository_id();
    return "  " + (type.empty() ? "(type unknown)" : shown(type));
  }

  const Session& session_;
  const bool details_;
  std::vector<std::string> way_;  // identities of contexts
};

std::string first_word(const Arguments& arguments) { return arguments.words.empty() ? "" : arguments.words[0]; }

}  // namespace

void list(const Session& session, const Arguments& arguments) {
  const CosNaming::NamingContext_var context = session.context(first_word(arguments));
  Listing listing(session, arguments.details);
  listing.begin(context.in());
  listing.flat(context.in(), "", arguments.recursive);
}

void tree(const Session& session, const Arguments& arguments) {
  const std::string name = first_word(arguments);
  const CosNaming::NamingContext_var context = session.context(name);
  std::printf("%s\n", name.empty() ? "." : shown(name).c_str());
  Listing listing(session, arguments.details);
  listing.begin(context.in());
  listing.indented(context.in(), "");
}

void resolve(const Session& session, const Arguments& arguments) {
  const CosNaming::Name name = name_of(arguments.words[0]);
  CORBA::Object_var found;
  explained("resolve " + arguments.words[0], name, [&] { found = session.root()->resolve(name); });
  std::printf("%s\n", session.text_of(found.in()).c_str());
}

}  // namespace callis::ns
