#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the Debian packages of this tree: BUILD/package/*.deb, and BUILD/compiled_in.json, which says whose headers are compiled in.
#
#   debs.sh BUILD [--components LIST] [--without-hardening] [--cross COMPILER_PREFIX --native BUILD]
#
# --components  those of CALLIS_COMPONENTS; all, unless said.
# --without-hardening  to measure what it costs.
# --cross       for another machine, by COMPILER_PREFIX-g++ (aarch64-linux-gnu). --native: a BUILD of this machine, whose callis-idl
#               compiles the IDL, and whose programs say what stands in the man pages.
#
# The flags are Debian's, with all of its hardening (docs/design/hardening.md). What is built depends on the sources, the compiler and
# SOURCE_DATE_EPOCH, and not on where the tree lies.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:?where to build}
shift
components=all cross='' native='' hardened=yes
while (($#)); do
  case "$1" in
    --without-hardening) hardened=no; shift; continue ;;
    --components) components=${2:?components} ;;
    --cross) cross=${2:?prefix of the compiler} ;;
    --native) native=$(cd "${2:?a build of this machine}" && pwd) ;;
    *) echo "debs.sh: unknown argument: $1" >&2; exit 2 ;;
  esac
  shift 2
done
umask 022  # the packages' files are for everybody
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
mkdir -p "$build"
build=$(cd "$build" && pwd)
options=()
if [[ -n $cross ]]; then
  eval "$(dpkg-architecture -t "$cross" -s 2>/dev/null)"  # DEB_HOST_..., by which Debian's tools go
  cat >"$build/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $DEB_HOST_GNU_CPU)
set(CMAKE_C_COMPILER $cross-gcc)
set(CMAKE_CXX_COMPILER $cross-g++)
END
  options+=(-DCMAKE_TOOLCHAIN_FILE="$build/toolchain.cmake" -DCALLIS_IDL_EXECUTABLE="$native/bin/callis-idl"
            -DCMAKE_INSTALL_LIBDIR="lib/$DEB_HOST_MULTIARCH")
fi

# Debian's flags; of those that its next version adds, what the machine has.
export DEB_BUILD_MAINT_OPTIONS='hardening=+all reproducible=-fixfilepath,-fixdebugpath'
export DEB_CFLAGS_MAINT_STRIP=-g DEB_CXXFLAGS_MAINT_STRIP=-g
own="-ffile-prefix-map=$build=build -ffile-prefix-map=$root=."
if [[ $hardened == yes ]]; then
  own+=" $(dpkg-buildflags --get CPPFLAGS) -fstack-clash-protection"
  # Not -fcf-protection of amd64, which costs and has no effect on Debian 12.
  [[ $(dpkg-architecture -qDEB_HOST_ARCH) != arm64 ]] || own+=' -mbranch-protection=standard'
  c=$(dpkg-buildflags --get CFLAGS) cxx=$(dpkg-buildflags --get CXXFLAGS) link=$(dpkg-buildflags --get LDFLAGS)
else
  c=-O2 cxx=-O2 link=''
fi
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-DNDEBUG -DCMAKE_C_FLAGS_RELEASE=-DNDEBUG \
  -DCMAKE_CXX_FLAGS="$cxx $own" -DCMAKE_C_FLAGS="$c $own" -DCMAKE_EXE_LINKER_FLAGS="$link" -DCMAKE_SHARED_LINKER_FLAGS="$link" \
  -DCMAKE_INSTALL_PREFIX=/usr -DCALLIS_BUILD_TESTS=OFF -DCALLIS_BUILD_EXTRAS=OFF -DCALLIS_COMPONENTS="$components" \
  -DCALLIS_MAN_PAGES="$build/man" "${options[@]}" >"$build/configure.log" 2>&1 || { cat "$build/configure.log" >&2; exit 1; }
grep '^-- callis' "$build/configure.log" || true  # parts that are left out
python3 "$root/tests/harness/progress.py" building cmake --build "$build"
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
python3 "$root/packaging/man_pages.py" --programs "${native:-$build}/bin" --out "$build/man" --version "$version"
rm -rf "$build/package/_CPack_Packages" "$build/package"/*.deb
(cd "$build" && cpack -G DEB >cpack.log 2>&1) || { cat "$build/cpack.log" >&2; exit 1; }
# CPack leaves the times at which files were built; dpkg-deb goes by SOURCE_DATE_EPOCH.
for deb in "$build"/package/*.deb; do
  rm -rf "$build/again"
  dpkg-deb --raw-extract "$deb" "$build/again"
  dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$build/again" "$deb" >/dev/null
done
rm -rf "$build/again"
python3 "$root/packaging/compiled_in.py" "$build" >"$build/compiled_in.json"
