// SPDX-License-Identifier: Apache-2.0
// export and import: a name service's contexts to a graph, and a graph into a name service.
#include <tools/ns/commands.h>
#include <tools/ns/graph.h>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

namespace callis::ns {

namespace {


Graph read_all(const Session& session, CosNaming::NamingContext_ptr root) {
  Graph out;
  std::vector<Context::_var_type> to_do{Context::_duplicate(root)};
  std::map<std::string, std::size_t> numbers{{session.identity(root), 0}};
  for (std::size_t i = 0; i < to_do.size(); ++i) {
    out.contexts.emplace_back();
    const Context::_var_type context = to_do[i];
    for (const Entry& e : Session::list(context.in())) {
      const CORBA::Object_var object = Session::resolve(context.in(), e);
      Bound b{e.name.id, e.name.kind, Bound::Kind::Object, 0, session.text_of(object.in())};
      if (e.context && session.is_here(object.in())) {
        const auto [number, is_new] = numbers.try_emplace(session.identity(object.in()), to_do.size());
        if (is_new) to_do.push_back(Context::_unchecked_narrow(object.in()));
        b.kind = Bound::Kind::Local;
        b.context = number->second;
        b.reference.clear();
      } else if (e.context) {
        b.kind = Bound::Kind::Foreign;
      }
      out.contexts.back().push_back(std::move(b));
    }
  }
  return out;
}

// Makes what a graph has, beside what is there.
class Import {
 public:
  Import(const Session& session, const Graph& graph, bool replace)
      : session_(session), graph_(graph), replace_(replace), made_(graph.contexts.size()) {}

  void into(CosNaming::NamingContext_ptr root) {
    made_[0] = Context::_duplicate(root);
    std::vector<std::size_t> to_do{0};
    for (std::size_t i = 0; i < to_do.size(); ++i)
      for (const Bound& b : graph_.contexts[to_do[i]]) {
        const Entry entry{{b.id, b.kind_text}, b.kind != Bound::Kind::Object};
        const bool first = b.kind == Bound::Kind::Local && CORBA::is_nil(made_[b.context].in());
        take(made_[to_do[i]].in(), entry, b);
        if (first && !CORBA::is_nil(made_[b.context].in())) to_do.push_back(b.context);
      }
  }
  std::size_t objects = 0, contexts = 0, kept = 0;

 private:
  void take(CosNaming::NamingContext_ptr in, const Entry& entry, const Bound& b) {
    explained("import " + entry.text(), name_of(entry), [&] {
      const CosNaming::Name name = name_of(entry);
      if (b.kind == Bound::Kind::Object) return bind_object(in, name, b);
      Context::_var_type target;
      if (b.kind == Bound::Kind::Local) {
        if (CORBA::is_nil(made_[b.context].in())) return make_context(in, name, b);
        target = made_[b.context];
      } else {
        target = Context::_unchecked_narrow(session_.object(b.reference).in());
      }
      try {
        in->bind_context(name, target.in());
        ++contexts;
      } catch (const Context::AlreadyBound&) {
        if (!replace_) return keep(name);
        in->rebind_context(name, target.in());
        ++contexts;
      }
    });
  }
  void bind_object(CosNaming::NamingContext_ptr in, const CosNaming::Name& name, const Bound& b) {
    const CORBA::Object_var object = session_.object(b.reference);
    if (replace_) {
      in->rebind(name, object.in());
    } else {
      try {
        in->bind(name, object.in());
      } catch (const Context::AlreadyBound&) {
        return keep(name);
      }
    }
    ++objects;
  }
  // A context of that name that is there takes in what the graph's has.
  void make_context(CosNaming::NamingContext_ptr in, const CosNaming::Name& name, const Bound& b) {
    try {
      made_[b.context] = in->bind_new_context(name);
      ++contexts;
    } catch (const Context::AlreadyBound&) {
      const CORBA::Object_var there = in->resolve(name);
      made_[b.context] = Context::_narrow(there.in());
      if (CORBA::is_nil(made_[b.context].in())) keep(name);
    }
  }
  void keep(const CosNaming::Name& name) {
    if (kept++ < 20)
      std::fprintf(stderr, "callis ns: '%s' is bound already, and was left as it is\n", shown(text_of(name)).c_str());
  }

  const Session& session_;
  const Graph& graph_;
  const bool replace_;
  std::vector<Context::_var_type> made_;
};

std::string read_file(const std::string& name) {
  if (name == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream file(name, std::ios::binary);
  std::string out{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw Failure{kCannot, name + ": cannot be read"};
  return out;
}

}  // namespace

void write_graph(const Session& session, const Arguments& arguments) {
  const CosNaming::NamingContext_var from = session.context(arguments.words.empty() ? "" : arguments.words[0]);
  std::fputs(to_json(read_all(session, from.in())).c_str(), stdout);
}

void read_graph(const Session& session, const Arguments& arguments) {
  const std::string& file = arguments.words[0];
  const std::string text = read_file(file);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  bool torn = false;
  const Graph graph = first != std::string::npos && text[first] == '{' ? graph_of_json(text, file)
                                                                        : graph_of_omninames(text, file, torn);
  if (torn) std::fprintf(stderr, "callis ns: %s: the last line is not whole, and was left out\n", file.c_str());
  Import import(session, graph, arguments.replace);
  const CosNaming::NamingContext_var into = session.context(arguments.into);
  import.into(into.in());
  std::printf("%zu objects, %zu contexts\n", import.objects, import.contexts);
  if (import.kept != 0)
    throw Failure{kUserException,
                  std::to_string(import.kept) + " names were bound already: --replace binds them anew"};
}

}  // namespace callis::ns
