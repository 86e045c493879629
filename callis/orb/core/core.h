// SPDX-License-Identifier: Apache-2.0
// Core: the ORB itself, as the libraries above it see it. CORBA::ORB is its face to applications.
//
//   references  ──→ EndpointDirectory ──→ Endpoint ──→ ClientConnection ──→ Stream        calls out
//   Server: acceptors, a thread a connection ──→ Session ──→ RequestHandler (object adapter)   calls in
//
// It makes the parts, and puts them together. OrbContext has the functions for calls and requests.
#pragma once
#include <callis/base/feature.h>
#include <callis/base/string_map.h>
#include <callis/orb/base/orb.h>
#include <callis/orb/client/reference.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/context/server_request.h>
#include <atomic>
#include <condition_variable>
#include <thread>

namespace callis::orb {

class Interception;
class Pool;
class RegisteredReferences;

class Core final : public OrbContext, public CORBA::ORB {
 public:
  // A new ORB that ORB_init does not know.
  static Counted<Core> create(Options&& options);
  // The Core of that context.
  static Core& of(OrbContext& orb) { return static_cast<Core&>(orb); }

  // --- For object adapters ---

  // Requests go to the handler from now on. Called before the first make_reference(). The handler must live until
  // OrbPart::end() is called.
  void set_handler(RequestHandler* handler);
  // Opens the endpoints and starts to serve, unless already done. Throws INITIALIZE if the ORB cannot listen at an
  // address.
  void listen();
  // A reference to an object of this ORB, with a profile for every endpoint; listens first.
  ReferencePtr make_reference(std::string_view type_id, ByteView object_key);
  // The key of an object of this ORB in a reference; empty for the objects of others and local ones. Valid
  // as long as the object.
  ByteView own_key(CORBA::Object_ptr object);
  // Called in a child of fork(), by the thread that has called fork(), with endpoints() locked for fork() (forks.h).
  CALLIS_OPTIONAL void go_on_in_child();
  // nullptr if the ORB was made without. Set at most once, before anybody else has the ORB.
  Interception* interception() const { return interception_.get(); }
  void set_interception(std::unique_ptr<Interception> interception);

  // --- CORBA::ORB ---

  char* id() override;
  CORBA::Object_ptr string_to_object(const char* text) override;
  char* object_to_string(CORBA::Object_ptr object) override;
  ObjectIdList* list_initial_services() override;
  CORBA::Object_ptr resolve_initial_references(const char* id) override;
  void register_initial_reference(const char* id, CORBA::Object_ptr object) override;
  void run() override;
  CORBA::Boolean work_pending() override;
  void perform_work() override;
  void shutdown(CORBA::Boolean wait) override;
  void destroy() override;
  void _add_ref() noexcept override { add_ref(); }
  void _remove_ref() noexcept override { OrbContext::release(); }

 private:
  friend class RegisteredReferences;
  friend class CORBA::ORB;
  friend class FileReferences;

  explicit Core(Options&& options);
  ~Core() override;
  CORBA::Object_ptr from_factory(std::string_view id);
  // depth: the number of initial references that have led here.
  CORBA::Object_ptr text_to_object(std::string_view text, unsigned depth) {
    return text_reader.load(std::memory_order_relaxed)(*this, text, depth);
  }
  static CORBA::Object_ptr read_text(Core& core, std::string_view text, unsigned depth);
  // All ORBs use this one: read_text(), or a function that reads files, too (callis/file_references.h).
  using TextReader = CORBA::Object_ptr (*)(Core& core, std::string_view text, unsigned depth);
  static std::atomic<TextReader> text_reader;
  CORBA::Object_ptr initial_reference(std::string_view id, unsigned depth);
  CORBA::Object_ptr initial_reference_of_text(std::string_view id, unsigned depth);
  Pool* served_by_us();
  void check_exists() const;
  // Throws BAD_INV_ORDER, minor kForked, if the threads that serve stayed with the parent of this process.
  CALLIS_OPTIONAL void check_serves_here() const;
  void check_may_serve() const;  // usable, and serves here
  // Throws also if the ORB has been shut down.
  void check_usable() const override;
  void begin_shutdown();
  bool finish_shutdown();

  struct Parts;

  std::unique_ptr<Interception> interception_;
  const std::unique_ptr<Parts> parts_;
  std::mutex listening_mutex_;
  std::atomic<bool> listening_{false};

  std::condition_variable making_changed_;  // a factory has made an initial reference, or failed
  std::mutex telling_mutex_;                // while parts are told of the shutdown
  std::mutex initial_mutex_;
  StringMap<CORBA::Object_var> made_;                 // initial references, by factories
  std::unique_ptr<RegisteredReferences> registered_;  // nullptr until there is one
  std::thread::id finisher_;     // the thread that is in finish_shutdown(), or was; under phase_mutex_
  bool destroy_wanted_ = false;  // by code of the application that the finisher calls; his alone
};

// The default ORB, which ORB_init makes of an empty id. If there is none, the only ORB of the process, or nullptr.
Counted<Core> default_orb();
// ORB_init does not find the ORB any more.
void forget_orb(const Core& core);

}  // namespace callis::orb
