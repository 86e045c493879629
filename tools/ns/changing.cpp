// SPDX-License-Identifier: Apache-2.0
// bind, rebind, unbind, mkdir, rm.
#include <tools/ns/commands.h>
#include <algorithm>

namespace callis::ns {


void bind(const Session& session, const Arguments& arguments) {
  const std::string& text = arguments.words[0];
  const CosNaming::Name name = name_of(text);
  const CORBA::Object_var object = session.object(arguments.words[1]);
  const bool replace = arguments.command == "rebind";
  explained(arguments.command + " " + text, name, [&] {
    if (!arguments.context) {
      replace ? session.root()->rebind(name, object.in()) : session.root()->bind(name, object.in());
      return;
    }
    const Context::_var_type context = Context::_unchecked_narrow(object.in());
    replace ? session.root()->rebind_context(name, context.in()) : session.root()->bind_context(name, context.in());
  });
}

void unbind(const Session& session, const Arguments& arguments) {
  const CosNaming::Name name = name_of(arguments.words[0]);
  explained("unbind " + arguments.words[0], name, [&] { session.root()->unbind(name); });
}

void make_context(const Session& session, const Arguments& arguments) {
  const CosNaming::Name name = name_of(arguments.words[0]);
  for (CORBA::ULong n = arguments.parents ? 1 : name.length(); n <= name.length(); ++n) {
    CosNaming::Name part = name;
    part.length(n);
    explained("mkdir " + text_of(part), part, [&] {
      try {
        Context::_var_type made = session.root()->bind_new_context(part);
      } catch (const Context::AlreadyBound&) {
        if (!arguments.parents) throw;  // -p takes what is there
      }
    });
  }
}

namespace {

// Unbinds all in a context, and destroys the contexts that are then empty. Contexts of other services, and contexts
// on the way, are unbound alone.
void empty(const Session& session, CosNaming::NamingContext_ptr context, std::vector<std::string>& way);

void remove_entry(const Session& session, CosNaming::NamingContext_ptr from, const Entry& e,
                  std::vector<std::string>& way) {
  if (!e.context) {
    explained("unbind " + e.text(), name_of(e), [&] { from->unbind(name_of(e)); });
    return;
  }
  const CosNaming::NamingContext_var in = Session::resolve_context(from, e);
  const std::string it = session.identity(in.in());
  const bool again = std::find(way.begin(), way.end(), it) != way.end() || !session.is_here(in.in());
  if (!again) {
    way.push_back(it);
    empty(session, in.in(), way);
    way.pop_back();
  }
  explained("unbind " + e.text(), name_of(e), [&] { from->unbind(name_of(e)); });
  if (!again) explained("destroy " + e.text(), name_of(e), [&] { in->destroy(); });
}

void empty(const Session& session, CosNaming::NamingContext_ptr context, std::vector<std::string>& way) {
  if (way.size() > 64) throw Failure{kCannot, "contexts in each other without end: nothing more has been removed"};
  for (const Entry& e : Session::list(context)) remove_entry(session, context, e, way);
}

}  // namespace

void remove(const Session& session, const Arguments& arguments) {
  const std::string& text = arguments.words[0];
  CosNaming::Name parent = name_of(text);
  const CORBA::ULong last = parent.length() - 1;
  const Entry entry{{parent[last].id.in(), parent[last].kind.in()}, true};
  parent.length(last);
  const CosNaming::NamingContext_var from = session.context(text_of(parent));
  const CosNaming::NamingContext_var in = session.context(text);
  if (!arguments.recursive) {
    // Destroyed first: what is not empty stays bound.
    explained("rm " + text + " (-r removes what is in it, too)", name_of(entry), [&] { in->destroy(); });
    explained("unbind " + text, name_of(entry), [&] { from->unbind(name_of(entry)); });
    return;
  }
  std::vector<std::string> way{session.identity(session.root()), session.identity(from.in())};
  remove_entry(session, from.in(), entry, way);
}

}  // namespace callis::ns
