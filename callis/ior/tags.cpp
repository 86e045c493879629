// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/tags.h>

namespace callis::ior {
namespace {

struct Name {
  std::uint32_t number;
  const char* text;
};

constexpr Name kProfiles[] = {
    {kInternetProfile, "TAG_INTERNET_IOP"}, {kMultipleComponents, "TAG_MULTIPLE_COMPONENTS"},
    {2, "TAG_SCCP_IOP"},                    {3, "TAG_UIPMC"},
    {kMemoryProfile, "callis memory"},
    {kUiopProfile, "TAO UIOP"},
};

constexpr Name kComponents[] = {
    {kOrbType, "TAG_ORB_TYPE"},
    {kCodeSets, "TAG_CODE_SETS"},
    {kPolicies, "TAG_POLICIES"},
    {kAlternateIiopAddress, "TAG_ALTERNATE_IIOP_ADDRESS"},
    {5, "TAG_COMPLETE_OBJECT_KEY"},
    {6, "TAG_ENDPOINT_ID_POSITION"},
    {12, "TAG_LOCATION_POLICY"},
    {13, "TAG_ASSOCIATION_OPTIONS"},
    {14, "TAG_SEC_NAME"},
    {kSslSecTrans, "TAG_SSL_SEC_TRANS"},
    {25, "TAG_JAVA_CODEBASE"},
    {27, "TAG_FT_GROUP"},
    {28, "TAG_FT_PRIMARY"},
    {29, "TAG_FT_HEARTBEAT_ENABLED"},
    {31, "TAG_TRANSACTION_POLICY"},
    {33, "TAG_CSI_SEC_MECH_LIST"},
    {34, "TAG_NULL_TAG"},
    {36, "TAG_TLS_SEC_TRANS"},
    {kOmniUnixTransport, "TAG_OMNIORB_UNIX_TRANS"},
    {38, "TAG_RMI_CUSTOM_MAX_STREAM_FORMAT"},
};

constexpr Name kCodeSetNames[] = {
    {kIso8859_1, "ISO 8859-1"}, {0x0001000F, "ISO 8859-15"}, {0x00010020, "ISO 646 (ASCII)"},
    {kUcs2, "UCS-2 level 1"},   {0x00010101, "UCS-2 level 2"}, {0x00010102, "UCS-2 level 3"},
    {kUcs4, "UCS-4 level 1"},   {0x00010105, "UCS-4 level 2"}, {0x00010106, "UCS-4 level 3"},
    {kUtf16, "UTF-16"},           {kUtf8, "UTF-8"},
};

template <std::size_t N>
const char* find(const Name (&names)[N], std::uint32_t number) {
  for (const Name& n : names) {
    if (n.number == number) return n.text;
  }
  return nullptr;
}

}  // namespace

const char* profile_tag_name(std::uint32_t tag) noexcept { return find(kProfiles, tag); }
const char* component_tag_name(std::uint32_t tag) noexcept { return find(kComponents, tag); }
const char* code_set_name(std::uint32_t code_set) noexcept { return find(kCodeSetNames, code_set); }

}  // namespace callis::ior
