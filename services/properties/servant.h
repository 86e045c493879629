// SPDX-License-Identifier: Apache-2.0
// PropertySet and PropertySetDef for servants: the operations of the Property Service over a Set.
//
//   // boiler.idl: interface Boiler : CosPropertyService::PropertySetDef { ... };
//   class BoilerServant : public callis::properties::PropertySetDefServant<POA_Boiler> {
//    public:
//     BoilerServant(Iterators& iterators) : PropertySetDefServant<POA_Boiler>(iterators) {}
//     ...
//   };
//
// Skeleton: that of an interface that inherits PropertySet, or PropertySetDef. The object's own Set is made with the
// servant; whose servant stands for several objects derives from the Operations, and says which set is meant. The
// Iterators outlive the servant; one for all servants of an ORB is enough. Any thread.
#pragma once
#include <services/properties/iterators.h>
#include <services/properties/set.h>
#include "CosPropertyService_skel.h"

namespace callis::properties {

// As get_allowed_...() answer. The caller owns them.
CosPropertyService::PropertyTypes* types_of(const Constraints& constraints);
CosPropertyService::PropertyDefs* defs_of(const Constraints& constraints);

template <class Skeleton>
class PropertySetOperations : public virtual Skeleton {
 public:
  void define_property(const char* name, const CORBA::Any& value) override { set()->define(name, value); }
  void define_properties(const CosPropertyService::Properties& all) override { set()->define(all); }
  CORBA::ULong get_number_of_properties() override { return static_cast<CORBA::ULong>(set()->size()); }
  void get_all_property_names(CORBA::ULong how_many, CosPropertyService::PropertyNames_out names,
                              CosPropertyService::PropertyNamesIterator_out rest) override {
    iterators().split(set()->names(), how_many, names, rest);
  }
  CORBA::Any* get_property_value(const char* name) override { return set()->value(name); }
  CORBA::Boolean get_properties(const CosPropertyService::PropertyNames& names,
                                CosPropertyService::Properties_out properties) override {
    CosPropertyService::Properties_var out = new CosPropertyService::Properties;
    const bool all = set()->values(names, out.inout());
    properties = out._retn();
    return all;
  }
  void get_all_properties(CORBA::ULong how_many, CosPropertyService::Properties_out properties,
                          CosPropertyService::PropertiesIterator_out rest) override {
    iterators().split(set()->all(), how_many, properties, rest);
  }
  void delete_property(const char* name) override { set()->remove(name); }
  void delete_properties(const CosPropertyService::PropertyNames& names) override { set()->remove(names); }
  CORBA::Boolean delete_all_properties() override { return set()->remove_all(); }
  CORBA::Boolean is_property_defined(const char* name) override { return set()->has(name); }

 protected:
  // Of the object that is called. Throws OBJECT_NOT_EXIST.
  virtual std::shared_ptr<Set> set() = 0;
  virtual Iterators& iterators() = 0;
};

template <class Skeleton>
class PropertySetDefOperations : public PropertySetOperations<Skeleton> {
 public:
  void get_allowed_property_types(CosPropertyService::PropertyTypes_out types) override {
    types = types_of(this->set()->constraints());
  }
  void get_allowed_properties(CosPropertyService::PropertyDefs_out defs) override {
    defs = defs_of(this->set()->constraints());
  }
  void define_property_with_mode(const char* name, const CORBA::Any& value, Mode mode) override {
    this->set()->define(name, value, mode);
  }
  void define_properties_with_modes(const CosPropertyService::PropertyDefs& all) override {
    this->set()->define(all);
  }
  Mode get_property_mode(const char* name) override { return this->set()->mode(name); }
  CORBA::Boolean get_property_modes(const CosPropertyService::PropertyNames& names,
                                    CosPropertyService::PropertyModes_out modes) override {
    CosPropertyService::PropertyModes_var out = new CosPropertyService::PropertyModes;
    const bool all = this->set()->modes(names, out.inout());
    modes = out._retn();
    return all;
  }
  void set_property_mode(const char* name, Mode mode) override { this->set()->set_mode(name, mode); }
  void set_property_modes(const CosPropertyService::PropertyModes& all) override { this->set()->set_modes(all); }
};

// One object's own set.
template <template <class> class Operations, class Skeleton>
class WithOwnSet : public Operations<Skeleton> {
 public:
  explicit WithOwnSet(Iterators& iterators, const Bounds& bounds = {}, Constraints constraints = {},
                      Keeper* keeper = nullptr)
      : iterators_(iterators), set_(std::make_shared<Set>(bounds, std::move(constraints), keeper)) {}

 protected:
  std::shared_ptr<Set> set() override { return set_; }
  Iterators& iterators() override { return iterators_; }

 private:
  Iterators& iterators_;
  const std::shared_ptr<Set> set_;
};
template <class Skeleton>
using PropertySetServant = WithOwnSet<PropertySetOperations, Skeleton>;
template <class Skeleton>
using PropertySetDefServant = WithOwnSet<PropertySetDefOperations, Skeleton>;

}  // namespace callis::properties
