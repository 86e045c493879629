// SPDX-License-Identifier: Apache-2.0
// An editor for each type: {element, text(), set(value)}. text() is JSON as docs/guide/call.md has it. Numbers stay
// text all the way, so that none loses digits: set() takes what numbersAsText() makes of JSON.

const kMostShown = 64;  // elements of an array

export function numbersAsText(json) {
  const quoted = json.replace(/"(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (m) => (m[0] === '"' ? m : `"${m}"`));
  return JSON.parse(quoted);
}

let ids = 0;

function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function field(label, type, control) {
  control.id ||= `field-${++ids}`;
  const shown = make("label", { htmlFor: control.id }, label, make("span", { className: "type" }, type.idl ?? ""));
  return make("div", { className: "field" }, shown, control);
}

function group(label, type, ...children) {
  return make("fieldset", {}, make("legend", {}, label, make("span", { className: "type" }, type.idl ?? "")), ...children);
}

function input(label, type, toText, fromValue, properties) {
  const control = make("input", { autocomplete: "off", spellcheck: false, ...properties });
  return {
    element: field(label, type, control),
    text: () => toText(control.value),
    set: (value) => { control.value = fromValue(value); },
  };
}

const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));
const isNumber = (text) => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);

// A text that begins like an object is taken for one: {"base64": ...} for bytes that are no UTF-8.
const stringText = (text) => (/^\{"(base64|codes)":/.test(text) ? text : JSON.stringify(text));

const editors = {
  boolean(label, type) {
    const control = make("input", { type: "checkbox" });
    return {
      element: field(label, type, control),
      text: () => String(control.checked),
      set: (value) => { control.checked = value === true; },
    };
  },
  integer: (label, type) => input(label, type, (t) => (/^-?(0|[1-9]\d*)$/.test(t.trim()) ? t.trim() : JSON.stringify(t)),
                                  asText, { inputMode: "numeric", value: "0", title: `${type.least} to ${type.most}` }),
  number: (label, type) => input(label, type, (t) => (isNumber(t.trim()) ? t.trim() : JSON.stringify(t.trim())), asText,
                                 { inputMode: "decimal", value: "0" }),
  char: (label, type) => input(label, type, stringText, asText, { value: " " }),
  string: (label, type) => input(label, type, stringText, asText, type.bound === 0 ? {} : { title: `at most ${type.bound} characters` }),
  bytes: (label, type) => input(label, type, (t) => (t.trim().startsWith("[") ? t : JSON.stringify(t.trim())), asText,
                                { placeholder: "base64, or [1, 2, 3]" }),
  object: (label, type) => input(label, type, (t) => (t.trim() === "" ? "null" : JSON.stringify(t.trim())),
                                 (value) => value ?? "", { placeholder: "nil; IOR:… corbaloc:…" }),
  enum(label, type) {
    const control = make("select", {}, ...type.members.map((name) => make("option", {}, name)));
    return {
      element: field(label, type, control),
      text: () => JSON.stringify(control.value),
      set: (value) => { control.value = value; },
    };
  },
  json(label, type) {
    const control = make("textarea", { rows: 3, spellcheck: false, value: type.sample ?? "null" });
    return {
      element: field(label, type, control),
      text: () => control.value.trim() || "null",
      set: (value) => { control.value = JSON.stringify(value, null, 1); },
    };
  },
  struct(label, type, types) {
    const parts = type.members.map((m) => ({ name: m.name, editor: editor(m.name, m.type, types) }));
    return {
      element: group(label, type, ...parts.map((p) => p.editor.element)),
      text: () => `{${parts.map((p) => `${JSON.stringify(p.name)}:${p.editor.text()}`).join(",")}}`,
      set: (value) => parts.forEach((p) => p.editor.set(value[p.name])),
    };
  },
  union(label, type, types) {
    const place = make("div");
    const choices = type.cases.flatMap((c) => c.labels.map((l) => ({ label: l, name: c.name, type: c.type })));
    if ("none" in type) choices.push({ label: type.none, name: "(no member)", type: null });
    const control = make("select", {}, ...choices.map((c, i) => make("option", { value: i }, `${JSON.stringify(c.label)}: ${c.name}`)));
    let inner = null;
    const show = () => {
      const chosen = choices[control.value];
      inner = chosen.type && editor(chosen.name, chosen.type, types);
      place.replaceChildren(...(inner ? [inner.element] : []));
    };
    control.addEventListener("change", show);
    show();
    return {
      element: group(label, type, field("discriminator", type.discriminator, control), place),
      text: () => `{"discriminator":${JSON.stringify(choices[control.value].label)}${inner ? `,"value":${inner.text()}` : ""}}`,
      set(value) {
        const at = choices.findIndex((c) => String(c.label) === String(value.discriminator));
        if (at < 0) throw new Error("a discriminator that the form does not have");
        control.value = at;
        show();
        if (inner) inner.set(value.value);
      },
    };
  },
  list(label, type, types) {
    if (type.length > kMostShown) return editors.json(label, { ...type, sample: "[]" });
    const items = [];
    const place = make("div");
    const fixed = type.length > 0;
    const add = () => {
      const item = editor(`${label}[${items.length}]`, type.element, types);
      items.push(item);
      place.append(item.element);
      return item;
    };
    const more = make("button", { type: "button", className: "small" }, "Add");
    more.addEventListener("click", () => {
      add().element.querySelector("input, select, textarea, button")?.focus();
    });
    const less = make("button", { type: "button", className: "small" }, "Remove the last");
    less.addEventListener("click", () => items.pop()?.element.remove());
    for (let i = 0; i < type.length; ++i) add();
    return {
      element: group(label, type, place, ...(fixed ? [] : [make("p", { className: "buttons" }, more, less)])),
      text: () => `[${items.map((i) => i.text()).join(",")}]`,
      set(value) {
        if (!fixed) {
          items.length = 0;
          place.replaceChildren();
        }
        value.forEach((v, i) => (fixed ? items[i] : add()).set(v));
      },
    };
  },
};

function editor(label, type, types) {
  const shape = type.is === "named" ? { ...types[type.id], idl: type.idl } : type;
  return editors[shape.is](label, shape, types);
}

// All in and inout parameters of an operation: {element, text(), set(values)}; the text is an array.
export function argumentsEditor(operation, types) {
  const sent = operation.parameters.filter((p) => p.mode !== "out");
  const parts = sent.map((p) => editor(p.name, p.type, types));
  return {
    element: make("div", {}, ...parts.map((p) => p.element)),
    text: () => `[${parts.map((p) => p.text()).join(",")}]`,
    set: (values) => parts.forEach((p, i) => p.set(values[i])),
  };
}
