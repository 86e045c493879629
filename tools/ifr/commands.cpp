// SPDX-License-Identifier: Apache-2.0
// Clients of a repository: feed, ls, show.
#include <idl/driver/compile.h>
#include <services/ifr/reading.h>
#include <tools/ifr/commands.h>
#include <services/programs/reference_text.h>
#include <cstdio>
#include "CallisIfr.h"

namespace callis::ifr {

namespace {

CORBA::Repository_var repository(CORBA::ORB_ptr orb, const Arguments& arguments) {
  std::string text, problem;
  if (!programs::read_reference(arguments.reference, text, problem)) throw Failure{kCannot, problem};
  CORBA::Object_var object;
  try {
    object = orb->string_to_object(text.c_str());
  } catch (const CORBA::BAD_PARAM& e) {
    throw Failure{kCannot, e.what()};
  }
  CORBA::Repository_var out = CORBA::Repository::_narrow(object.in());
  if (CORBA::is_nil(out.in())) throw Failure{kCannot, "the reference is to no Interface Repository"};
  return out;
}

const char* word(CORBA::DefinitionKind kind) {
  switch (kind) {
    case CORBA::dk_Attribute: return "attribute";
    case CORBA::dk_Constant: return "const";
    case CORBA::dk_Exception: return "exception";
    case CORBA::dk_Interface: return "interface";
    case CORBA::dk_Module: return "module";
    case CORBA::dk_Operation: return "operation";
    case CORBA::dk_Alias: return "typedef";
    case CORBA::dk_Struct: return "struct";
    case CORBA::dk_Union: return "union";
    case CORBA::dk_Enum: return "enum";
    case CORBA::dk_Value: return "valuetype";
    case CORBA::dk_ValueBox: return "valuebox";
    case CORBA::dk_ValueMember: return "member";
    case CORBA::dk_Native: return "native";
    case CORBA::dk_AbstractInterface: return "abstract";
    case CORBA::dk_LocalInterface: return "local";
    default: return "other";
  }
}

// From a peer, for a terminal.
std::string shown(const char* text) {
  std::string out;
  for (; *text; ++text) out += *text >= ' ' && *text < 127 ? *text : '?';
  return out;
}

bool is_container(CORBA::DefinitionKind k) {
  return k == CORBA::dk_Module || k == CORBA::dk_Interface || k == CORBA::dk_AbstractInterface ||
         k == CORBA::dk_LocalInterface || k == CORBA::dk_Value;
}

void list_in(CORBA::Container_ptr container, std::size_t depth) {
  if (depth > 64) throw Failure{kCannot, "the repository has containers in each other without end"};
  const CORBA::ContainedSeq_var all = container->contents(CORBA::dk_all, true);
  for (CORBA::ULong i = 0; i < all->length(); ++i) {
    const CORBA::DefinitionKind kind = all[i]->def_kind();
    const CORBA::String_var name = all[i]->absolute_name(), id = all[i]->id();
    std::printf("%-10s %s  %s\n", word(kind), shown(name.in()).c_str(), shown(id.in()).c_str());
    if (is_container(kind))
      list_in(CORBA::Container_var(CORBA::Container::_unchecked_narrow(all[i])).in(), depth + 1);
  }
}

CORBA::Contained_var find(Reading& reading, const std::string& name) {
  CORBA::Contained_var found = reading.find(name);
  if (!found.in()) throw Failure{kCannot, "the repository has nothing called '" + shown(name.c_str()) + "'"};
  return found;
}

}  // namespace

int feed_files(CORBA::ORB_ptr orb, const Arguments& arguments) {
  const CORBA::Repository_var plain = repository(orb, arguments);
  const CallisIfr::Repository_var ours = CallisIfr::Repository::_narrow(plain.in());
  if (CORBA::is_nil(ours.in()))
    throw Failure{kCannot,
                  "the repository is another ORB's: feed it by that ORB's program; this one feeds callis ifr"};
  for (const std::string& file : arguments.words) {
    idl::driver::Compilation compilation;
    const std::string text = idl::driver::preprocess(file, arguments.preprocess, compilation);
    if (compilation.diagnostics->failed()) {
      std::string why = compilation.diagnostics->text();
      while (!why.empty() && why.back() == '\n') why.pop_back();
      throw Failure{kCannot, why};
    }
    CORBA::OctetSeq bytes(static_cast<CORBA::ULong>(text.size()), static_cast<CORBA::ULong>(text.size()),
                          reinterpret_cast<CORBA::Octet*>(const_cast<char*>(text.data())), false);
    try {
      const CallisIfr::Fed fed = ours->feed(file.c_str(), bytes);
      std::printf("%s: %u new, %u known\n", file.c_str(), fed.added, fed.known);
    } catch (const CallisIfr::Rejected& r) {
      throw Failure{kCannot, std::string(r.why.in()) + "\n" + file + " was not taken; nothing of it has been added"};
    }
  }
  return 0;
}

int list(CORBA::ORB_ptr orb, const Arguments& arguments) {
  const CORBA::Repository_var top = repository(orb, arguments);
  if (arguments.words.empty()) {
    list_in(top.in(), 0);
    return 0;
  }
  Reading reading(top.in());
  const CORBA::Contained_var found = find(reading, arguments.words[0]);
  const CORBA::Container_var container = CORBA::Container::_narrow(found.in());
  if (CORBA::is_nil(container.in())) throw Failure{kCannot, "'" + arguments.words[0] + "' contains nothing"};
  list_in(container.in(), 0);
  return 0;
}

int show(CORBA::ORB_ptr orb, const Arguments& arguments) {
  const CORBA::Repository_var top = repository(orb, arguments);
  Reading reading(top.in());
  if (arguments.words.empty()) reading.all(top.in());
  for (const std::string& name : arguments.words) {
    const CORBA::Contained_var found = find(reading, name);
    if (found->def_kind() == CORBA::dk_Module)
      reading.all(CORBA::Container_var(CORBA::Container::_unchecked_narrow(found.in())).in());
    else
      reading.add(CORBA::String_var(found->id()).in());
  }
  std::fputs(reading.text().c_str(), stdout);
  return 0;
}

}  // namespace callis::ifr
