// SPDX-License-Identifier: Apache-2.0
// Object keys that nobody can guess: sealing and opening.
#include <callis/base/endian.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/collocated.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/dispatch/sealed_keys.h>
#include <callis/poa/servant/minor_codes.h>
#include <bit>
#include <cerrno>
#include <sys/random.h>

CALLIS_PROVIDE(unguessable_keys);

namespace callis::poa {

// --- The seal ---

std::uint64_t sip_hash(const std::array<std::uint64_t, 2>& secret, ByteView bytes) {
  std::uint64_t v0 = secret[0] ^ 0x736f6d6570736575, v1 = secret[1] ^ 0x646f72616e646f6d;
  std::uint64_t v2 = secret[0] ^ 0x6c7967656e657261, v3 = secret[1] ^ 0x7465646279746573;
  const auto rounds = [&](int n) {
    for (; n != 0; --n) {
      v0 += v1, v2 += v3;
      v1 = std::rotl(v1, 13) ^ v0, v3 = std::rotl(v3, 16) ^ v2;
      v0 = std::rotl(v0, 32);
      v2 += v1, v0 += v3;
      v1 = std::rotl(v1, 17) ^ v2, v3 = std::rotl(v3, 21) ^ v0;
      v2 = std::rotl(v2, 32);
    }
  };
  const auto take = [&](std::uint64_t word) {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  };
  constexpr bool kSwap = kNativeOrder != ByteOrder::Little;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) take(load<std::uint64_t>(bytes.data() + at, kSwap));
  std::uint64_t last = std::uint64_t{bytes.size() & 0xff} << 56;
  for (std::size_t i = 0; at + i < bytes.size(); ++i) last |= std::uint64_t{bytes[at + i]} << 8 * i;
  take(last);
  v2 ^= 0xff;
  rounds(4);
  return v0 ^ v1 ^ v2 ^ v3;
}

KeySeal::KeySeal() {
  for (std::size_t n = 0; n < sizeof secret_;) {
    const ssize_t got = ::getrandom(reinterpret_cast<Byte*>(secret_.data()) + n, sizeof secret_ - n, 0);
    if (got > 0) n += static_cast<std::size_t>(got);
    else if (errno != EINTR)
      raise<CORBA::NO_RESOURCES>(orb::own(Fault::TransportFailed), CORBA::COMPLETED_NO, "no random bytes");
  }
}

std::vector<Byte> KeySeal::seal(ByteView key) const {
  std::vector<Byte> sealed(key.begin(), key.end());
  if (!has_seal(key)) return sealed;
  const std::uint64_t s = sip_hash(secret_, key);
  append(sealed, {reinterpret_cast<const Byte*>(&s), sizeof s});
  return sealed;
}

bool KeySeal::open(ByteView key, ByteView& opened) const {
  opened = key;
  if (!has_seal(key)) return true;
  if (key.size() < kBytes) return false;
  opened = key.first(key.size() - kBytes);
  return load<std::uint64_t>(key.data() + opened.size()) == sip_hash(secret_, opened);  // one comparison
}

// --- Making and reading references ---

namespace {

class SealedReferences final : public References {
 public:
  explicit SealedReferences(std::unique_ptr<References>& inner)
      : seal_(std::make_shared<KeySeal>()), inner_(std::move(inner)) {}

  const std::shared_ptr<const KeySeal>& seal() const { return seal_; }
  CORBA::Object_ptr make(std::string_view type_id, ByteView key, const orb::AdapterNotes* notes,
                         const orb::AdapterNotes* policies) override {
    return inner_->make(type_id, seal_->seal(key), notes, policies);
  }
  ByteView own_key(CORBA::Object_ptr reference) override {
    ByteView key;
    return seal_->open(inner_->own_key(reference), key) ? key : ByteView();
  }
  void go_bidirectional() override { inner_->go_bidirectional(); }
  orb::Interception* interception() override { return inner_->interception(); }

 private:
  const std::shared_ptr<const KeySeal> seal_;
  const std::unique_ptr<References> inner_;
};

// --- Incoming requests ---

// The request without the seal of its key.
class OpenedRequest final : public orb::RequestBefore {
 public:
  OpenedRequest(orb::ServerRequest& inner, ByteView key) : RequestBefore(inner, with_key(inner.asked(), key)) {}

 private:
  static Asked with_key(Asked asked, ByteView key) {
    asked.object_key = key;
    return asked;
  }
};

class SealedHandler final : public orb::RequestHandler {
 public:
  SealedHandler(orb::RequestHandler& adapter, std::shared_ptr<const KeySeal> seal)
      : adapter_(adapter), seal_(std::move(seal)) {}

  // The adapter's memo belongs to these very bytes of key, so their seal has been checked before.
  void handle(orb::ServerRequest& request) noexcept override {
    const orb::ServerRequest::Memo* const memo = request.memo();
    ByteView key = request.object_key();
    if (memo && memo->owner == &adapter_ && has_seal(key)) key = key.first(key.size() - KeySeal::kBytes);
    else if (!seal_->open(key, key)) return refuse(request);
    OpenedRequest opened(request, key);
    adapter_.handle(opened);
  }
  orb::Locate locate(ByteView key, ior::Ior& forward) noexcept override {
    return seal_->open(key, key) ? adapter_.locate(key, forward) : orb::Locate::Unknown;
  }
  orb::Locate ask(ByteView key, bool comes_back, ior::Ior& forward,
                  giop::SystemExceptionBody& failure) noexcept override {
    return seal_->open(key, key) ? adapter_.ask(key, comes_back, forward, failure) : orb::Locate::Unknown;
  }
  orb::Collocation collocation(ByteView key) noexcept override {
    return seal_->open(key, key) ? adapter_.collocation(key) : orb::Collocation::ThroughAdapter;
  }
  bool call_directly(const orb::DirectCall& call) override {
    ByteView key;
    if (!seal_->open(call.object_key, key)) return false;
    return adapter_.call_directly({key, call.plans, call.crossing, call.frame, call.memo, call.again, call.called});
  }

 private:
  // Answers as for a key of no adapter.
  [[gnu::cold]] static void refuse(orb::ServerRequest& request) noexcept {
    answer_standard(request, classic::Standard::OBJECT_NOT_EXIST, orb::omg(2), CORBA::COMPLETED_NO);
  }

  orb::RequestHandler& adapter_;
  const std::shared_ptr<const KeySeal> seal_;
};

}  // namespace

void seal_references(std::unique_ptr<References>& references) {
  references = std::make_unique<SealedReferences>(references);
}

std::unique_ptr<orb::RequestHandler> open_seals(orb::RequestHandler& adapter, const References& references) {
  return std::make_unique<SealedHandler>(adapter, static_cast<const SealedReferences&>(references).seal());
}

}  // namespace callis::poa
