// SPDX-License-Identifier: Apache-2.0
// The repository itself.
#include <callis/typecode/create.h>
#include <services/ifr/feeding.h>
#include <services/ifr/servants.h>

namespace callis::ifr {

namespace {

using CORBA::TypeCode_var;

// A TypeCode within itself, which only its definition could tell.
struct Recursive {};

class Canonical {
 public:
  Canonical(Model& model, TypeCodes& type_codes) : model_(model), type_codes_(type_codes) {}

  // The repository's own where it has the id and the same type; else of canonical parts. Throws Recursive.
  TypeCode_var of(CORBA::TypeCode_ptr given) {
    if (++levels_ > 64) throw Recursive{};
    struct Level {
      std::size_t& levels;
      ~Level() { --levels; }
    } const level{levels_};
    switch (given->kind()) {
      case CORBA::tk_sequence: return typecode::create_sequence_tc(given->length(), content(given).in());
      case CORBA::tk_array: return typecode::create_array_tc(given->length(), content(given).in());
      case CORBA::tk_objref:
      case CORBA::tk_struct:
      case CORBA::tk_union:
      case CORBA::tk_enum:
      case CORBA::tk_alias:
      case CORBA::tk_except:
      case CORBA::tk_value:
      case CORBA::tk_value_box:
      case CORBA::tk_native:
      case CORBA::tk_abstract_interface:
      case CORBA::tk_local_interface: break;
      default: return CORBA::TypeCode::_duplicate(given);
    }
    if (const Number known = model_.by_id(given->id())) {
      const Kind kind = model_.at(known).kind;
      if (is_type(kind) || kind == Kind::Exception) {
        TypeCode_var own = type_codes_.of(known);
        if (own->equivalent(given)) return own;
      }
    }
    switch (given->kind()) {
      case CORBA::tk_alias: return typecode::create_alias_tc(given->id(), given->name(), content(given).in());
      case CORBA::tk_value_box: return typecode::create_value_box_tc(given->id(), given->name(), content(given).in());
      case CORBA::tk_struct:
      case CORBA::tk_except: {
        CORBA::StructMemberSeq list;
        list.length(given->member_count());
        for (CORBA::ULong i = 0; i < list.length(); ++i) {
          list[i].name = CORBA::string_dup(given->member_name(i));
          list[i].type = of(TypeCode_var(given->member_type(i)).in());
        }
        return (given->kind() == CORBA::tk_struct ? typecode::create_struct_tc : typecode::create_exception_tc)(
            given->id(), given->name(), list);
      }
      default: return CORBA::TypeCode::_duplicate(given);
    }
  }

 private:
  TypeCode_var content(CORBA::TypeCode_ptr given) { return of(TypeCode_var(given->content_type()).in()); }

  Model& model_;
  TypeCodes& type_codes_;
  std::size_t levels_ = 0;
};

class RepositoryServant final : public virtual POA_CallisIfr::Repository, public virtual ContainerServant {
  CORBA::Contained_ptr lookup_id(const char* search_id) override {
    const auto held = lock();
    return service().reference_as<CORBA::Contained>(model().by_id(search_id));
  }
  CORBA::TypeCode_ptr get_canonical_typecode(CORBA::TypeCode_ptr tc) override {
    const auto held = lock();
    try {
      return Canonical(model(), type_codes()).of(tc)._retn();
    } catch (const Recursive&) {
      return CORBA::TypeCode::_duplicate(tc);
    }
  }
  CORBA::PrimitiveDef_ptr get_primitive(CORBA::PrimitiveKind kind) override {
    const auto held = lock();
    return service().reference_as<CORBA::PrimitiveDef>(model().primitive(static_cast<std::uint32_t>(kind)));
  }
  template<class I>
  typename I::_ptr_type anonymous(Kind kind, std::uint32_t bound, std::int32_t scale, Number element) {
    Definition d;
    d.kind = kind;
    d.bound = bound;
    d.scale = scale;
    d.type = element;
    Change change(model());
    const Number number = model().anonymous(std::move(d));
    (void)type_codes().of(number);
    change.commit(service().store());
    return service().reference_as<I>(number);
  }
  CORBA::StringDef_ptr create_string(CORBA::ULong bound) override {
    const auto held = lock_to_change();
    return anonymous<CORBA::StringDef>(Kind::String, bound, 0, kNone);
  }
  CORBA::WstringDef_ptr create_wstring(CORBA::ULong bound) override {
    const auto held = lock_to_change();
    return anonymous<CORBA::WstringDef>(Kind::Wstring, bound, 0, kNone);
  }
  CORBA::SequenceDef_ptr create_sequence(CORBA::ULong bound, CORBA::IDLType_ptr element_type) override {
    const auto held = lock_to_change();
    return anonymous<CORBA::SequenceDef>(Kind::Sequence, bound, 0, service().type_of(element_type));
  }
  CORBA::ArrayDef_ptr create_array(CORBA::ULong length, CORBA::IDLType_ptr element_type) override {
    const auto held = lock_to_change();
    return anonymous<CORBA::ArrayDef>(Kind::Array, length, 0, service().type_of(element_type));
  }
  CORBA::FixedDef_ptr create_fixed(CORBA::UShort digits, CORBA::Short scale) override {
    const auto held = lock_to_change();
    return anonymous<CORBA::FixedDef>(Kind::Fixed, digits, scale, kNone);
  }
  void create_component() override { no_components(); }
  void create_home() override { no_components(); }
  void create_event() override { no_components(); }

  // The file is read, and its definitions are made, while others read.
  CallisIfr::Fed feed(const char* file_name, const CORBA::OctetSeq& text) override {
    constexpr std::size_t kOfByte = 24;  // memory that the compiler takes for a byte of a file
    const std::string name = file_name;
    const std::string idl(reinterpret_cast<const char*>(text.get_buffer()), text.length());
    services::OperationTime time(model().bounds().time);
    services::MemoryBound::Hold parsed;
    if (service().memory()) parsed = service().memory()->take(kOfByte * idl.size());
    try {
      std::optional<idl::driver::Compilation> file = compile_text(name, idl);
      const Lock writers(service().writers());
      time.check();
      Model overlay(model(), time);
      TypeCodes types(overlay);
      const Fed fed = ifr::feed(overlay, types, *file->unit);
      file.reset();
      parsed.give_back();
      model().prepare(overlay, service().store());
      for (bool whole = false; !whole;) {
        const auto held = lock();
        whole = model().adopt(overlay);
      }
      return {fed.added, fed.known};
    } catch (const NotTaken& n) {
      CallisIfr::Rejected rejected;
      rejected.why = copy(n.why);
      throw rejected;
    } catch (const CORBA::NO_RESOURCES&) {
      if (!time.over()) throw;
      throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                                "the file takes more than " + std::to_string(model().bounds().time.count()) +
                                    " ms (--change-time); feed it in parts");
    }
  }
};

}  // namespace

[[noreturn]] void no_components() {
  refuse<CORBA::NO_IMPLEMENT>(0, "this repository has no components, homes and events (ComponentIR)");
}

PortableServer::Servant make_servant(Service& service, const Definition& d) {
  if (d.kind == Kind::Repository) return new_servant<RepositoryServant>(service, d);
  if (PortableServer::Servant servant = make_interface_servant(service, d)) return servant;
  return make_type_servant(service, d);
}

}  // namespace callis::ifr
