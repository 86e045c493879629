// SPDX-License-Identifier: Apache-2.0
// TypedSink: pushes events to a typed consumer. Events that are calls of the consumer's interface go by its
// operations. Other events, which have no type, go by push() (Event Service 1.2, 2.5 to 2.8), which the consumer need
// not implement.
#pragma once
#include <services/events/push_sink.h>
#include <services/events/typed/interface.h>
#include <memory>

namespace callis::events {

class TypedSink final : public Sink {
 public:
  // servant: the proxy; typed: what get_typed_consumer() of the consumer returned. deadline: of each call.
  TypedSink(Proxy& proxy, PortableServer::ServantBase& servant, CosEventComm::PushConsumer_ptr consumer,
            CORBA::Object_ptr typed, std::shared_ptr<const TypedInterface> interface,
            std::chrono::milliseconds deadline);

  Result deliver(const Event& event) noexcept override { return sink_of(event).deliver(event); }
  Begun begin(const Event& event, bool connects) noexcept override { return sink_of(event).begin(event, connects); }
  Progress look() noexcept override { return last_->look(); }
  int descriptor() const noexcept override { return last_->descriptor(); }
  Result result() noexcept override { return last_->result(); }
  Result finish() noexcept override { return last_->finish(); }
  void drop() noexcept override { last_->drop(); }
  void dropped(const std::string& why) noexcept override { last_->dropped(why); }

 private:
  PushSink& sink_of(const Event& event) noexcept;

  const std::shared_ptr<const TypedInterface> interface_;
  PushSink untyped_;
  PushSink typed_;  // of the operation of the last typed event
  PushSink* last_ = &untyped_;  // of the last call
};

}  // namespace callis::events
