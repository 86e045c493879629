// SPDX-License-Identifier: Apache-2.0
// Backend: turns a checked Unit into the text of files. The whole contract between the compiler
// and a language mapping: a back end reads the Unit, touches no file, and returns what is to be
// written; the driver writes all outputs of all units, or none.
//
// A back end is a folder beside this file with a function `std::unique_ptr<Backend> make_X_backend()`;
// registry.cpp lists them. It may refuse what it cannot express by reporting an error, in which
// case its outputs are not written. generate() is called once a unit, from one thread.
#pragma once
#include <idl/ast/unit.h>
#include <idl/source/diagnostics.h>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace callis::idl::backends {

enum class Stubs {
  Interpreted,  // tables read by the marshaling engine
  Compiled,     // straight-line code
  Hybrid,       // each operation in one of the two ways; see Options
};

using Choices = std::map<const ast::Declaration*, ast::StubStyle>;

enum class Skeletons {
  Split,   // in files of their own, so that a client need not compile them
  Joined,  // in the same files as the stubs
  None,
};

// What the names of generated files end with, after the name of the IDL file without its ".idl".
struct FileEndings {
  std::string header = ".h";
  std::string source = ".cpp";
  std::string skeleton_header = "_skel.h";  // these two for Skeletons::Split
  std::string skeleton_source = "_skel.cpp";
  // Of files that builds or programs of other ORBs expect; "": there is none.
  std::string any_source = {};  // without content
  std::string any_header = {};  // includes the stubs' header
  std::string tie_header = {};  // includes the skeletons' header
};

struct Options {
  Stubs stubs = Stubs::Interpreted;
  // For Hybrid, of types, interfaces, operations and attributes. What the command line says comes first, then
  // Declaration::stubs, then the profile.
  Choices by_option;
  Choices by_profile;

  bool any = true;   // TypeCodes, and insertion into and extraction from Any
  bool ties = true;  // POA_X_tie
  Skeletons skeletons = Skeletons::Split;
  bool for_omniorb = false;  // headers bring what omniORB's bring: callis/omniorb.h
  bool for_tao = false;      // headers bring what TAO's bring: callis/tao.h
  std::vector<std::string> include_first = {}, include_last = {};  // headers of the user's, for all generated headers
  // _this() of a servant that is active in one adapter alone gives that object, as omniORB's does.
  bool this_of_activation = false;
  bool for_boa = false;  // classes _sk_X for servants of the BOA: callis/compat/omniORB4/boa.h
  FileEndings endings;
  // Put before the names of generated files where they include each other: "generated/".
  std::string include_prefix;
  // #include "sub/x.idl" becomes #include "sub/x.h", not "x.h".
  bool keep_include_paths = false;
};

struct Output {
  std::string name;  // relative to the output directory: "bank_skel.h"
  std::string text;
};

// Thrown by generate() instead of printing text without end; the driver reports it.
struct TooMuchText {};

class Backend {
 public:
  virtual ~Backend() = default;
  // As given to --mapping: "classic".
  virtual std::string_view name() const = 0;
  virtual std::vector<Output> generate(const ast::Unit& unit, const Options& options,
                                       source::Diagnostics& diagnostics) = 0;
};

}  // namespace callis::idl::backends
