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
    {15, "TAG_SPKM_1_SEC_MECH"},
    {16, "TAG_SPKM_2_SEC_MECH"},
    {17, "TAG_KerberosV5_SEC_MECH"},
    {18, "TAG_CSI_ECMA_Secret_SEC_MECH"},
    {19, "TAG_CSI_ECMA_Hybrid_SEC_MECH"},
    {kSslSecTrans, "TAG_SSL_SEC_TRANS"},
    {21, "TAG_CSI_ECMA_Public_SEC_MECH"},
    {22, "TAG_GENERIC_SEC_MECH"},
    {23, "TAG_FIREWALL_TRANS"},
    {24, "TAG_SCCP_CONTACT_INFO"},
    {25, "TAG_JAVA_CODEBASE"},
    {26, "TAG_TRANSACTION_POLICY"},
    {27, "TAG_FT_GROUP"},
    {28, "TAG_FT_PRIMARY"},
    {29, "TAG_FT_HEARTBEAT_ENABLED"},
    {30, "TAG_MESSAGE_ROUTERS"},
    {31, "TAG_OTS_POLICY"},
    {32, "TAG_INV_POLICY"},
    {33, "TAG_CSI_SEC_MECH_LIST"},
    {34, "TAG_NULL_TAG"},
    {35, "TAG_SECIOP_SEC_TRANS"},
    {36, "TAG_TLS_SEC_TRANS"},
    {37, "TAG_ACTIVITY_POLICY"},
    {38, "TAG_RMI_CUSTOM_MAX_STREAM_FORMAT"},
    {39, "TAG_GROUP"},
    {40, "TAG_GROUP_IIOP"},
    {41, "TAG_PASSTHRU_TRANS"},
    {42, "TAG_FIREWALL_PATH"},
    {43, "TAG_IIOP_SEC_TRANS"},
    {100, "TAG_DCE_STRING_BINDING"},
    {101, "TAG_DCE_BINDING_NAME"},
    {102, "TAG_DCE_NO_PIPES"},
    {103, "TAG_DCE_SEC_MECH"},
    {123, "TAG_INET_SEC_TRANS"},
    {0x41545401, "TAG_OMNIORB_BIDIR"},
    {kOmniUnixTransport, "TAG_OMNIORB_UNIX_TRANS"},
    {0x41545403, "TAG_OMNIORB_PERSISTENT_ID"},
    {0x41545404, "TAG_OMNIORB_RESTRICTED_CONNECTION"},
    {0x54414F02, "TAO_TAG_ENDPOINTS"},
};

constexpr Name kCodeSetNames[] = {
    {kIso8859_1, "ISO 8859-1"}, {0x0001000F, "ISO 8859-15"}, {0x00010020, "ISO 646 (ASCII)"},
    {kUcs2, "UCS-2 level 1"},   {0x00010101, "UCS-2 level 2"}, {0x00010102, "UCS-2 level 3"},
    {kUcs4, "UCS-4 level 1"},   {0x00010105, "UCS-4 level 2"}, {0x00010106, "UCS-4 level 3"},
    {kUtf16, "UTF-16"},           {kUtf8, "UTF-8"},
};

template <std::size_t N>
const char* find_name(const Name (&names)[N], std::uint32_t number) {
  for (const Name& n : names) {
    if (n.number == number) return n.text;
  }
  return nullptr;
}

}  // namespace

const char* profile_tag_name(std::uint32_t tag) noexcept { return find_name(kProfiles, tag); }
const char* component_tag_name(std::uint32_t tag) noexcept { return find_name(kComponents, tag); }
const char* code_set_name(std::uint32_t code_set) noexcept { return find_name(kCodeSetNames, code_set); }

}  // namespace callis::ior
