# SPDX-License-Identifier: Apache-2.0
"""Good requests to a test server: written by hand in every GIOP version and both byte orders, and recorded from a
real client. All are checked to be good before they are spoilt.
"""
import itertools

from harness import giop


def _fixed_struct(writer):
    writer.put("i", 8).put("b", 97).put("h", -2).put("B", 255).put("f", 1.5).put("B", 1).put("d", -6.25)


def _strseq(writer, texts):
    writer.put("I", len(texts))
    for text in texts:
        writer.string(text)


def _var_struct(writer, texts):
    writer.string("first").string("")
    _strseq(writer, texts)


def _twice(write, *arguments):
    def both(writer):
        write(writer, *arguments)
        write(writer, *arguments)
    return both


def _nothing(_):
    pass


# object, operation, arguments, is a reply expected?
_REQUESTS = (
    ("param", "test_short", lambda w: w.put("h", 1).put("h", -1), True),
    ("param", "test_unbounded_string", lambda w: w.string("abc").string("a longer one, of 34 characters ..."), True),
    ("param", "test_fixed_struct", _twice(_fixed_struct), True),
    ("param", "test_strseq", _twice(_strseq, ["", "x", "three words here"]), True),
    ("param", "test_var_struct", _twice(_var_struct, ["a", "bb"]), True),
    ("param", "test_struct_sequence",
     _twice(lambda w: (w.put("I", 2), _var_struct(w, ["one"]), _var_struct(w, []))), True),
    ("param", "_is_a", lambda w: w.string("IDL:Param_Test:1.0"), True),
    ("calls", "_get_motto", _nothing, True),
    ("calls", "_set_motto", lambda w: w.string("festina lente"), True),
    ("calls", "decide", lambda w: w.put("i", 2).put("i", 3).string("abc"), True),
    ("calls", "fail", lambda w: w.put("i", 0), True),
    ("calls", "note", lambda w: w.put("i", 2).string("xy"), False),
)


def by_hand(object_keys):
    """Messages; object_keys gives the keys of `param` and `calls`."""
    messages = []
    numbers = itertools.count(1)
    for version, little in itertools.product(giop.VERSIONS, (False, True)):
        for name, operation, arguments, expected in _REQUESTS:
            messages.append(giop.request(version, little, next(numbers), object_keys[name], operation, arguments,
                                         expected))
        messages.append(giop.locate_request(version, little, next(numbers), object_keys["param"]))
    messages.append(in_fragments(object_keys["param"], next(numbers)))
    return [raw(each) for each in messages]


def in_fragments(object_key, request_id):
    """A GIOP 1.2 request in three parts, as one row of bytes."""
    whole = giop.request((1, 2), True, request_id, object_key, "test_strseq",
                         _twice(_strseq, ["some text in a sequence"] * 20))
    number = whole.body[:4]
    first, second, third = whole.body[:100], whole.body[100:500], whole.body[500:]
    return (giop.Message((1, 2), 3, giop.REQUEST, first).raw() +
            giop.Message((1, 2), 3, giop.FRAGMENT, number + second).raw() +
            giop.Message((1, 2), 1, giop.FRAGMENT, number + third).raw())


def raw(message):
    return message if isinstance(message, bytes) else message.raw()


def recorded(connections, sender, most):
    """Up to `most` requests that somebody sent, spread over all that were recorded; fragments stay together."""
    rows = []
    for connection in connections:
        for message in giop.Stream().feed(connection.bytes_from(sender)):
            if message.kind == giop.FRAGMENT:
                rows[-1] += message.raw()
            elif message.kind == giop.REQUEST:
                rows.append(message.raw())
    rows = [row for row in rows if len(row) < 20000]
    step = max(1, len(rows) // most)
    return rows[::step][:most]
