#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh IDL_FOLDER LIBRARIES OUT: stubs by JacORB's IDL compiler, classes of them and of src/, into OUT/classes.
set -e
here=$(cd "$(dirname "$0")" && pwd)
idl=$1 libraries=$2 out=$3
rm -rf "$out/java" "$out/classes"
mkdir -p "$out/java/bench" "$out/classes"
python3 "$here/../common/demux.py" idl "$out/demux.idl"
python3 "$here/../common/demux.py" java-servant "$out/java/bench/DemuxObject.java"
for file in "$idl/param_test.idl" "$idl/ttcp_throughput.idl" "$out/demux.idl"; do
  java -cp "$libraries/*" org.jacorb.idl.parser -d "$out/java" -i2jpackage :bench "$file"
done
find "$out/java" "$here/src" -name '*.java' >"$out/sources"
javac -nowarn -Xlint:none -encoding UTF-8 -d "$out/classes" -cp "$libraries/*" @"$out/sources"
