# SPDX-License-Identifier: Apache-2.0
# mixed.idl, as Combat wants to be told of it: it has no IDL compiler of its own, but asks an Interface Repository.
package require combat

# Characters as numbers. Tcl 8.6 has those beyond the first plane as two surrogates.
proc text {points} {
    join [lmap c $points {
        expr {$c < 0x10000 ? [format %c $c] : [format %c%c [expr {0xd7c0 + ($c >> 10)}] [expr {0xdc00 + ($c & 0x3ff)}]]}
    }] ""
}
proc points {text} {
    set out {}
    foreach unit [lmap c [split $text ""] {scan $c %c}] {
        if {($unit & 0xfc00) == 0xdc00} {
            set out [lreplace $out end end [expr {(([lindex $out end] - 0xd7c0) << 10) + ($unit & 0x3ff)}]]
        } else {
            lappend out $unit
        }
    }
    return $out
}

proc op {name result parameters {exceptions {}} {mode {}}} {
    set interface $::interface
    list operation [list IDL:Mixed/$interface/$name:1.0 $name 1.0] $result $parameters $exceptions {*}$mode
}
proc id {name} { list IDL:Mixed/$name:1.0 $name 1.0 }
proc ref {name} { return IDL:Mixed/$name:1.0 }

set interface Listener
set listener [list [op heard void {{in text string} {in number long}}]]
set interface Peer
set peer [list \
    [op points_of [ref CodePoints] {{in text string}}] \
    [op text_of string [list [list in points [ref CodePoints]]]] \
    [op wide_points_of [ref CodePoints] {{in text wstring}}] \
    [op wide_text_of wstring [list [list in points [ref CodePoints]]]] \
    [op echo_wchar wchar {{in c wchar}}] \
    [op echo_char char {{in c char}}] \
    [op echo_item [ref Item] [list [list in one [ref Item]] [list inout more [ref Items]] [list out names [ref Strings]]]] \
    [op echo_choices [ref Choices] [list [list in some [ref Choices]]]] \
    [op echo_any any {{in value any}}] \
    [op echo_string string {{in text string}}] \
    [op echo_octets [ref Octets] [list [list in bytes [ref Octets]]]] \
    [op refuse void {{in why string} {in code long}} [list [ref Refused]]] \
    [op fail void {}] \
    [op note void {{in text string}} {} oneway] \
    [op notes [ref Strings] {}] \
    [op call_back void [list [list in whom [ref Listener]] {in text string} {in times long}]] \
    [op itself [ref Peer] {}] \
    [op is_you boolean [list [list in other [ref Peer]]]]]

combat::ir add [list [list module {IDL:Mixed:1.0 Mixed 1.0} [list \
    [list enum [id Colour] {red green blue}] \
    [list struct [id Point] {{x short} {y long} {z double}} {}] \
    [list typedef [id Octets] {sequence octet}] \
    [list typedef [id CodePoints] {sequence {unsigned long}}] \
    [list typedef [id Strings] {sequence string}] \
    [list struct [id Item] [list {name string} {title wstring} [list at [ref Point]] [list tint [ref Colour]] {letter char} \
        {flag boolean} {raw octet} {big {long long}} {ratio float} [list bytes [ref Octets]]] {}] \
    [list typedef [id Items] [list sequence [ref Item]]] \
    [list union [id Choice] [ref Colour] [list {red number long} {green text string} [list (default) place [ref Point]]] {}] \
    [list typedef [id Choices] [list sequence [ref Choice]]] \
    [list exception [id Refused] {{why string} {code long}} {}] \
    [list interface [id Listener] {} $listener] \
    [list interface [id Peer] {} $peer]]]]
