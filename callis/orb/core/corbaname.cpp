// SPDX-License-Identifier: Apache-2.0
// Names of corbaname: URLs: reading them, and asking the naming service.
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call.h>
#include <callis/orb/core/corbaname.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/object_of.h>

CALLIS_PROVIDE(corbaname);

namespace callis::orb {
namespace {

constexpr char kRaised[] = "IDL:omg.org/CosNaming/NamingContext/";

class Resolve final : public CallBody {
 public:
  // text: the whole name.
  Resolve(OrbContext& orb, const std::vector<NameComponent>& name, std::string_view text)
      : orb_(orb), name_(name), text_(text) {}

  void encode(cdr::Encoder& to) override {
    to.put_ulong(static_cast<std::uint32_t>(name_.size()));
    for (const NameComponent& c : name_) {
      to.put_string(c.id);
      to.put_string(c.kind);
    }
  }
  void decode(cdr::Decoder& from) override {
    ior::Ior ior;
    if (ior::decode(from, ior, orb_.limits()) && !ior.is_nil())
      found = make_object(*ReferencePtr::adopt(new Reference(orb_, std::move(ior))));
  }
  // None of them is passed on: the text of BAD_PARAM tells which.
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view id, cdr::Decoder& from) override {
    if (id.starts_with(kRaised)) id.remove_prefix(sizeof kRaised - 1);
    const std::uint32_t why = id == "NotFound:1.0" ? from.get_ulong() : 0;
    id = id.substr(0, id.find(':'));
    const char* const kinds[] = {" (missing node)", " (not a context)", " (not an object)"};
    raise<CORBA::BAD_PARAM>(omg(10), CORBA::COMPLETED_NO,
                            concat({"the naming service says ", id, id == "NotFound" && why < 3 ? kinds[why] : "",
                                    " of the name ", text_}));
  }

  CORBA::Object_var found;

 private:
  OrbContext& orb_;
  const std::vector<NameComponent>& name_;
  const std::string_view text_;
};

}  // namespace

std::string parse_name(std::string_view text, std::vector<NameComponent>& out) {
  out.clear();
  NameComponent c;
  std::string* part = &c.id;
  bool any = false;  // of this component has been read
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char at = i < text.size() ? text[i] : '/';
    if (at == '/') {
      if (!any) return "an empty component";
      if (part == &c.kind && c.kind.empty() && !c.id.empty()) return "'.' at the end of a component";
      out.push_back(std::move(c));
      c = {};
      part = &c.id;
      any = false;
      continue;
    }
    any = true;
    if (at == '.') {
      if (part == &c.kind) return "a second '.' in a component";
      part = &c.kind;
      continue;
    }
    if (at == 0) return "a zero byte";
    if (at == '\\') {
      const char escaped = ++i < text.size() ? text[i] : ' ';
      if (escaped != '/' && escaped != '.' && escaped != '\\') return "'\\' is not followed by '/', '.' or '\\'";
    }
    *part += text[i];
  }
  return {};
}

CORBA::Object_ptr resolve_name(CORBA::Object_ptr context, std::string_view name) {
  std::vector<NameComponent> parsed;
  const std::string wrong = parse_name(name, parsed);
  if (!wrong.empty())
    raise<CORBA::BAD_PARAM>(omg(9), CORBA::COMPLETED_NO,
                            concat({"not a name in a naming service: ", wrong, " in ", name}));
  if (!context || !context->_callis_reference())
    raise<CORBA::BAD_PARAM>(omg(10), CORBA::COMPLETED_NO,
                            concat({"the naming context of the name ", name, " is nil or local"}));
  Reference& to = *context->_callis_reference();
  Resolve body(to.orb(), parsed, name);
  call(to, {"resolve"}, body);
  return body.found._retn();
}

}  // namespace callis::orb
