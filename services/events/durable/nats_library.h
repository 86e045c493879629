// SPDX-License-Identifier: Apache-2.0
// libnats, loaded when a service is told to keep its events: a program that does not needs neither the library nor
// its TLS.
#pragma once
#include <nats/nats.h>

namespace callis::events {

struct NatsLibrary {
#define CALLIS_NATS_FUNCTIONS(F)                                                                                     \
  F(nats_SetMessageDeliveryPoolSize) F(nats_GetLastError) F(natsStatus_GetText) F(natsOptions_Create)                \
  F(natsOptions_Destroy) F(natsOptions_SetServers) F(natsOptions_SetTimeout) F(natsOptions_SetName)                  \
  F(natsOptions_SetMaxReconnect) F(natsOptions_SetReconnectWait) F(natsOptions_SetReconnectJitter)                   \
  F(natsOptions_SetPingInterval) F(natsOptions_SetMaxPingsOut) F(natsOptions_UseGlobalMessageDelivery)               \
  F(natsOptions_SetErrorHandler) F(natsOptions_SetClosedCB) F(natsOptions_SetDisconnectedCB)                         \
  F(natsOptions_SetReconnectedCB) F(natsOptions_SetFailRequestsOnDisconnect) F(natsConnection_Connect)               \
  F(natsConnection_JetStream) F(natsConnection_Status) F(natsConnection_Close) F(natsConnection_Destroy)             \
  F(natsConnection_PublishString) F(natsConnection_Subscribe) F(natsConnection_QueueSubscribe)                       \
  F(natsSubscription_SetOnCompleteCB) F(natsSubscription_Unsubscribe) F(natsSubscription_Destroy)                    \
  F(natsInbox_Create) F(natsInbox_Destroy) F(natsMsg_GetReply) F(natsMsg_GetData) F(natsMsg_GetDataLength)           \
  F(natsMsg_Destroy) F(jsCtx_Destroy) F(jsOptions_Init) F(jsStreamConfig_Init) F(js_AddStream)                       \
  F(js_UpdateStream) F(jsConsumerConfig_Init) F(js_AddConsumer) F(js_GetConsumerInfo) F(js_DeleteConsumer)           \
  F(jsConsumerInfo_Destroy) F(js_ConsumerNames) F(jsConsumerNamesList_Destroy) F(jsPubOptions_Init) F(js_Publish)
#define CALLIS_NATS_MEMBER(name) decltype(&::name) name;
  CALLIS_NATS_FUNCTIONS(CALLIS_NATS_MEMBER)
#undef CALLIS_NATS_MEMBER

  // The process's one; stays loaded. Any thread. Throws JournalFailed::Refused where there is no libnats.
  static const NatsLibrary& get();
};

}  // namespace callis::events
