// SPDX-License-Identifier: Apache-2.0
// The properties of a stream's objects, each of which is a PropertySet (Property Service 1.0, 2.3). Those that the
// object itself has defined are read only and fixed; clients define others beside them, within limits.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include "CosPropertyService_skel.h"

namespace callis::streams {

// Any thread.
class PropertyBag final {
 public:
  static constexpr std::size_t kMost = 256, kMostNameBytes = 256;

  // The object's own: defined and changed by it alone.
  void set(const std::string& name, const CORBA::Any& value);
  void define(const char* name, const CORBA::Any& value);
  void define_all(const CosPropertyService::Properties& all);
  CORBA::ULong count() const;
  CosPropertyService::PropertyNames* names(CORBA::ULong how_many) const;
  CORBA::Any* value(const char* name) const;
  bool values(const CosPropertyService::PropertyNames& names, CosPropertyService::Properties_out out) const;
  CosPropertyService::Properties* all(CORBA::ULong how_many) const;
  void remove(const char* name);
  void remove_all(const CosPropertyService::PropertyNames& names);
  bool remove_everything();
  bool has(const char* name) const;

 private:
  struct Kept {
    CORBA::Any value;
    bool own = false;
  };
  mutable std::mutex mutex_;
  std::map<std::string, Kept> all_;
};

// A servant of `Skeleton`, whose operations of PropertySet are those of a bag.
template<class Skeleton>
class WithProperties : public virtual Skeleton {
 public:
  void define_property(const char* name, const CORBA::Any& value) override { bag_.define(name, value); }
  void define_properties(const CosPropertyService::Properties& all) override { bag_.define_all(all); }
  CORBA::ULong get_number_of_properties() override { return bag_.count(); }
  void get_all_property_names(CORBA::ULong how_many, CosPropertyService::PropertyNames_out names,
                              CosPropertyService::PropertyNamesIterator_out rest) override {
    names = bag_.names(how_many);
    rest = CosPropertyService::PropertyNamesIterator::_nil();
  }
  CORBA::Any* get_property_value(const char* name) override { return bag_.value(name); }
  CORBA::Boolean get_properties(const CosPropertyService::PropertyNames& names,
                                CosPropertyService::Properties_out out) override {
    return bag_.values(names, out);
  }
  void get_all_properties(CORBA::ULong how_many, CosPropertyService::Properties_out out,
                          CosPropertyService::PropertiesIterator_out rest) override {
    out = bag_.all(how_many);
    rest = CosPropertyService::PropertiesIterator::_nil();
  }
  void delete_property(const char* name) override { bag_.remove(name); }
  void delete_properties(const CosPropertyService::PropertyNames& names) override { bag_.remove_all(names); }
  CORBA::Boolean delete_all_properties() override { return bag_.remove_everything(); }
  CORBA::Boolean is_property_defined(const char* name) override { return bag_.has(name); }

 protected:
  PropertyBag bag_;
};

}  // namespace callis::streams
