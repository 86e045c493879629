// SPDX-License-Identifier: Apache-2.0
// TLS as an entry of the list of transports, for each ORB by its own options. This file does without callis/tls.h: if
// callis is a shared library, programs without that header must not get TLS.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/ior/tls_component.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/options/added_options.h>
#include <callis/orb/options/tcp.h>
#include <callis/orb/options/tls_of_orb.h>
#include <callis/tls/option_list.h>
#include <callis/tls/use.h>
#include <callis/transport/tcp/reach.h>
#include <callis/transport/tls/tls.h>
#include <algorithm>
#include <csignal>
#include <map>
#include <mutex>
#include <vector>

namespace callis::tls {
namespace {

using orb::EndpointAddress;

// --- Options, of the ORB that the calling thread makes ---

TlsOptions& options_of_thread() {
  static thread_local const std::unique_ptr<TlsOptions> options(new TlsOptions);
  return *options;
}

// The options of an ORB that is told nothing. Set before there are threads.
TlsOptions& defaults() {
  static auto* const options = new TlsOptions;  // never destroyed, as Known
  return *options;
}

void* values(bool anew) {
  TlsOptions& options = options_of_thread();
  if (anew) options = defaults();
  return &options;
}

// --- Transports ---

// The way of calls. Each set of options has one, which lives as long as the process: endpoints refer to it.
class TlsCalls final : public orb::Transport {
 public:
  TlsCalls(const TlsOptions& options, std::shared_ptr<transport::TlsContext> context)
      : options_(options), context_(std::move(context)) {}

  const TlsOptions& options() const { return options_; }
  const std::shared_ptr<transport::TlsContext>& context() const { return context_; }

  std::string text(const EndpointAddress& a) const override {
    const bool all = a.place.empty() && a.port == 0;
    return concat({"tls:", all ? std::string() : transport::address_text(a.place, a.port)});
  }
  bool has_hosts() const override { return true; }
  transport::Reach reach(const EndpointAddress& a) const override { return transport::reach_of(a.place); }
  Result<std::unique_ptr<transport::Stream>> connect(const EndpointAddress& to, Deadline deadline) const override {
    return transport::connect_tls(*context_, to.place, to.port, deadline);
  }

 private:
  const TlsOptions options_;
  const std::shared_ptr<transport::TlsContext> context_;
};

// Published addresses are those of the server's own calls, so that the ORB knows them for its own.
bool is_tls(const EndpointAddress& a) { return dynamic_cast<const TlsCalls*>(a.transport) != nullptr; }

// The ORBs that have been told about TLS, and the ways of their calls.
class Known final {
 public:
  static Known& all() {
    static auto* const known = new Known;  // never destroyed: ORBs may outlive static objects
    return *known;
  }
  // Fault::BadText.
  Result<void> add(const orb::OrbContext& orb, const TlsOptions& options) {
    const std::lock_guard lock(mutex_);
    const auto same = [&](const auto& c) { return c->options() == options; };
    const auto at = std::ranges::find_if(calls_, same);
    if (at != calls_.end()) {
      of_[&orb] = at->get();
      return {};
    }
    auto context = transport::TlsContext::make(options.terms);
    if (!context) return context.error();
    calls_.push_back(std::make_unique<TlsCalls>(options, std::move(context).value()));
    of_[&orb] = calls_.back().get();
    return {};
  }
  bool share(const orb::OrbContext* of, const orb::OrbContext& with) {
    const std::lock_guard lock(mutex_);
    const auto found = of ? of_.find(of) : of_.begin();
    if (found == of_.end()) return false;
    const TlsCalls* const calls = found->second;
    of_[&with] = calls;
    return true;
  }
  void remove(const orb::OrbContext& orb) noexcept {
    const std::lock_guard lock(mutex_);
    of_.erase(&orb);
  }
  const TlsCalls* find(const orb::OrbContext* orb) const {
    const std::lock_guard lock(mutex_);
    const auto found = of_.find(orb);
    return found == of_.end() ? nullptr : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<TlsCalls>> calls_;
  std::map<const orb::OrbContext*, const TlsCalls*> of_;
};

// Takes the ORB out of the list.
class Entry final : public orb::OrbPart {
 public:
  explicit Entry(const orb::OrbContext& orb) : orb_(orb) {}
  ~Entry() override { Known::all().remove(orb_); }
  void stop() override {}
  void end() override {}

 private:
  const orb::OrbContext& orb_;
};

bool strip(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Endpoints and references.
class Tls final : public orb::Transport {
 public:
  constexpr Tls() = default;

  Parsed parse(std::string_view text, EndpointAddress& to) const override {
    if (text == "tls") {
      text = {};
    } else if (!strip(text, "tls:")) {
      if (!strip(text, "giop:ssl:")) return Parsed::Other;
      if (text.ends_with(':')) text.remove_suffix(1);  // omniORB's form, in which the port may be empty
    }
    to = {this, {}, 0};
    if (!text.empty() && !orb::parse_host_port(text, to.place, to.port)) return Parsed::Bad;
    if (orb::is_any_host(to.place)) to.place.clear();
    return Parsed::Good;
  }
  std::string text(const EndpointAddress& a) const override {
    const bool all = a.place.empty() && a.port == 0;
    return concat({"tls:", all ? std::string() : transport::address_text(a.place, a.port)});
  }
  bool has_hosts() const override { return true; }

  Result<std::unique_ptr<transport::Listener>> listen(const orb::EndpointOption& at, const orb::ListenTerms& terms,
                                                      std::list<EndpointAddress>& published) const override {
    const TlsCalls* const own = Known::all().find(terms.orb);
    if (!own) return Error{Fault::BadText, 0, "an endpoint of TLS needs -ORBTlsCertificate"};
    auto listener = transport::listen_tls(own->context(), at.address.place, at.address.port);
    if (!listener) return listener.error();
    const transport::TcpListener& l = *listener.value();
    const auto publish = [&](std::string host, std::uint16_t port) {
      published.push_back({own, std::move(host), port != 0 ? port : l.port()});
    };
    for (const ior::Address& a : at.publish) publish(a.host, a.port);
    if (at.publish.empty())
      publish(l.wildcard()               ? transport::primary_address()
              : !at.address.place.empty() ? at.address.place
                                          : l.host(),
              0);
    if (own->options().terms.asked_of_clients() == transport::TlsTerms::Clients::None)
      log(LogLevel::Info, {"TLS: ", text(at.address), " asks clients for no certificate: anybody may connect"});
    return Result<std::unique_ptr<transport::Listener>>(std::move(listener).value());
  }

  // At the host of the first address of TCP the port goes into the profiles of that address.
  void offer_components(orb::ReferenceParts& to) const override {
    const std::string* const host = first_host(to, orb::tcp_transport());
    if (!host) return;
    for (const EndpointAddress& a : to.published)
      if (is_tls(a) && a.place == *host) ior::add(to.components, component(a.port, false));
  }
  // Other hosts have profiles of their own, with port 0.
  void offer(orb::ReferenceParts& to) const override {
    if (to.version < ior::Version{1, 1}) return;  // profiles of 1.0 have no components
    const std::string* const host = first_host(to, orb::tcp_transport());
    std::vector<std::string> done;
    for (const EndpointAddress& a : to.published) {
      if (!is_tls(a) || (host && a.place == *host) || std::ranges::count(done, a.place) != 0) continue;
      done.push_back(a.place);
      const std::size_t common = to.components.size();
      for (const EndpointAddress& same : to.published)
        if (is_tls(same) && same.place == a.place) ior::add(to.components, component(same.port, true));
      ior::add(to.profiles, ior::to_profile(to.version, {a.place, 0}, to.object_key, to.components));
      while (to.components.size() != common) to.components.pop_back();
    }
  }

  void find(std::uint32_t tag, const ior::IiopProfile& in, bool, std::list<EndpointAddress>& to,
            const orb::OrbContext* orb) const override {
    if (tag != ior::kInternetProfile) return;
    const TlsCalls* const own = Known::all().find(orb);
    if (!own || own->options().calls == Calls::Never) return;
    std::list<EndpointAddress> found;
    if (own->options().terms.verifies())
      for (ior::Address& a : ior::tls_addresses(in)) found.push_back({own, std::move(a.host), a.port});
    // Nobody must gain other addresses by keeping TLS away.
    if (!found.empty() || own->options().calls == Calls::Required)
      to.remove_if([](const EndpointAddress& a) { return a.transport == orb::tcp_transport(); });
    to.splice(to.end(), found);
  }
  transport::Reach reach(const EndpointAddress& a) const override { return transport::reach_of(a.place); }
  Result<std::unique_ptr<transport::Stream>> connect(const EndpointAddress&, Deadline) const override {
    return Fault::Unsupported;  // TlsCalls connects
  }

 private:
  static const std::string* first_host(const orb::ReferenceParts& in, const orb::Transport* of) {
    for (const EndpointAddress& a : in.published)
      if (a.transport == of) return &a.place;
    return nullptr;
  }
  // alone: there is no other port.
  static ior::TaggedComponent component(std::uint16_t port, bool alone) {
    constexpr std::uint16_t kSupports = ior::kTlsProtection | ior::kDetectReplay | ior::kDetectMisordering |
                                        ior::kTrustInTarget | ior::kTrustInClient;
    return ior::tls_component(
        {static_cast<std::uint16_t>(kSupports | (alone ? 0 : ior::kNoProtection)),
         static_cast<std::uint16_t>(alone ? ior::kTlsProtection : ior::kNoProtection), port});
  }
};

constexpr Tls kTls;

// --- The beginning of an ORB ---

constinit std::atomic<orb::PrepareOrb> prepare_others{nullptr};

bool has_endpoint(const orb::Core& core) {
  return std::ranges::any_of(core.options().endpoints,
                             [](const orb::EndpointOption& e) { return e.address.transport == &kTls; });
}

void prepare_orb(orb::Core& core, orb::OrbStage stage, std::span<char*> arguments) {
  const TlsOptions options = options_of_thread();
  if (const orb::PrepareOrb others = prepare_others.load(std::memory_order_acquire)) others(core, stage, arguments);
  if (stage == orb::OrbStage::New && (options != TlsOptions() || has_endpoint(core))) configure(core, options);
}

}  // namespace

TlsOptions& TlsOptions::of_this_thread() { return options_of_thread(); }

void configure(orb::Core& core, const TlsOptions& options) {
  Result<void> added = Known::all().add(core, options);
  if (added && has_endpoint(core) && !options.terms.has_certificate())
    added = Error{Fault::BadText, 0,
                  "an endpoint of TLS needs a certificate: -ORBTlsCertificate and -ORBTlsKey; `callis tls init` "
                  "makes some for tests and small sites"};
  if (added && options.calls == Calls::Required && !options.terms.verifies())
    added = Error{Fault::BadText, 0, "-ORBTlsCalls required needs -ORBTlsCA or -ORBTlsPin, to verify servers by"};
  if (added) return core.add(std::make_unique<Entry>(core));
  const std::string why = concat({"TLS: ", added.error().detail});
  Known::all().remove(core);
  core.destroy();
  log(LogLevel::Error, why);
  orb::raise<CORBA::INITIALIZE>(orb::own(Fault::BadText), CORBA::COMPLETED_NO, why);
}

bool use() {
  static const bool used_before = [] {
    static orb::AddedOptions added{kOptionList, &values};
    orb::AddedOptions::add(added);
    prepare_others.store(orb::set_prepare_orb(&prepare_orb), std::memory_order_release);
    return true;
  }();
  return used_before;
}

const TlsOptions& defaults_of_orbs() { return defaults(); }
void set_defaults_of_orbs(const TlsOptions& options) { defaults() = options; }

void reload_on_hangup() noexcept {
  struct sigaction action {};
  action.sa_handler = [](int) { transport::read_tls_files_again(); };
  action.sa_flags = SA_RESTART;
  (void)::sigaction(SIGHUP, &action, nullptr);
}

void set_passphrase(std::string (*function)(const std::string& file)) noexcept {
  transport::set_passphrase_function(function);
}

}  // namespace callis::tls

namespace callis::orb {

const Transport* tls_transport() noexcept { return &tls::kTls; }

void share_tls(const OrbContext* of, Core& with) {
  if (tls::Known::all().share(of, with)) with.add(std::make_unique<tls::Entry>(with));
}

const char* tls_refusal(const ior::Ior& ior, const OrbContext* orb) {
  bool by_tls = false, by_tcp = false;
  for (const ior::TaggedProfile& profile : ior.profiles) {
    if (profile.tag != ior::kInternetProfile) continue;
    const auto content = ior::parse_iiop(profile.data);
    if (!content) continue;
    by_tls |= !ior::tls_addresses(content.value()).empty();
    by_tcp |= content->address.port != 0;
  }
  const tls::TlsCalls* const own = tls::Known::all().find(orb);
  const tls::Calls calls = own ? own->options().calls : tls::Calls::Offered;
  if (by_tls && calls == tls::Calls::Never && !by_tcp)
    return "the server is reached over TLS alone, and -ORBTlsCalls never uses none";
  if (by_tls && !by_tcp && !(own && own->options().terms.verifies()))
    return "the server is reached over TLS alone, and this ORB has nothing to verify it by: give -ORBTlsCA or "
           "-ORBTlsPin";
  if (!by_tls && by_tcp && calls == tls::Calls::Required)
    return "the reference names no port of TLS, and -ORBTlsCalls required (--tls) uses nothing else; in URLs "
           "corbaloc:ssliop:HOST:PORT is a port of TLS, and corbaloc::HOST:PORT is none";
  return nullptr;
}

}  // namespace callis::orb
