// SPDX-License-Identifier: Apache-2.0
// The page: tree, object, call, history. Nothing of what servers send becomes markup: textContent and value only.
import { Tree } from "./tree.js";
import { argumentsEditor, numbersAsText } from "./form.js";

const at = (id) => document.getElementById(id);
const kMostHistory = 200;
let interfaces = [];  // that the IDL files have
let shown = null;     // the object: {reference, interface, ...}
let operation = null;
let editor = null;
let calling = false;  // the button keeps the focus meanwhile
let latest = 0;       // number of the last request for an object: answers of others are late

async function ask(name, input) {
  const response = await fetch(`api/${name}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(input),
  });
  const answer = await response.json().catch(() => ({ error: `the server of this page answers ${response.status}` }));
  if (answer.error) throw new Error(answer.error);
  return answer;
}

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

// --- objects ---

const tree = new Tree(at("tree"), {
  async expand(node) {
    try {
      if (!node.reference) Object.assign(node, await ask("look", node.source));
      if (!node.context) return null;
      const { bindings, more } = await ask("list", { reference: node.reference });
      if (more) note(`Only the first ${bindings.length} names of ${node.name} are shown.`);
      return bindings.map((b) => ({ name: b.name, source: { context: node.reference, component: b.component }, context: b.context }));
    } catch (error) {
      note(error.message);
      return [];
    }
  },
  async choose(node, byKey) {
    await open(node);
    if (byKey && at("tree").contains(document.activeElement) && !at("object-parts").hidden) at("operations").focus();
  },
});

function note(text) {
  at("object-note").textContent = text;
}

async function open(node, interfaceName) {
  const number = ++latest;
  at("object-title").textContent = node.name;
  at("object-parts").hidden = true;
  at("interface-line").hidden = true;
  at("arguments").hidden = true;
  operation = null;
  note("asking …");
  let object;
  try {
    object = await ask("look", interfaceName ? { reference: node.reference, interface: interfaceName } : node.source);
  } catch (error) {
    if (number === latest) note(error.message);
    return;
  }
  if (number !== latest) return;
  node.reference = object.reference;
  node.context ??= object.context;
  shown = { ...object, node, chosen: interfaceName ?? null };
  const type = object.interface ? `${object.interface.name}` : object.type_id || "of a type that its reference does not say";
  note(object.problem ?? (object.context ? `${type}, a naming context: → shows its names` : type));
  fillInterfaces();
  if (object.interface) fillOperations();
}

function fillInterfaces() {
  const select = at("interface");
  const current = shown.interface?.name ?? "";
  select.replaceChildren(new Option("choose …", ""), ...interfaces.map((name) => new Option(name, name)));
  select.value = current;
  at("interface-line").hidden = interfaces.length === 0;
}

at("interface").addEventListener("change", (event) => {
  if (shown && event.target.value) open(shown.node, event.target.value);
});

at("open").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = at("open-reference");
  const reference = field.value.trim();
  if (!reference) return;
  field.value = "";
  openReference(reference);
});

function openReference(reference) {
  const name = reference.startsWith("IOR:") ? `opened ${at("tree").children.length + 1}` : reference;
  const item = tree.add({ name, source: { reference } });
  tree.focus(item);
  tree.select(item);
}

// --- operations ---

function fillOperations() {
  const list = at("operations");
  list.replaceChildren(...shown.interface.operations.map((o, i) => {
    const option = element("li", "", o.signature);
    option.setAttribute("role", "option");
    option.id = `operation-${i}`;
    option.setAttribute("aria-selected", "false");
    option.title = o.words.join(" ");
    option.addEventListener("click", () => {
      choose(i);
      focusForm();
    });
    return option;
  }));
  list.removeAttribute("aria-activedescendant");
  at("idl").querySelector("pre").textContent = shown.interface.idl;
  at("object-parts").hidden = false;
}

function choose(index) {
  const options = [...at("operations").children];
  if (!options[index]) return;
  options.forEach((o, i) => o.setAttribute("aria-selected", String(i === index)));
  at("operations").setAttribute("aria-activedescendant", options[index].id);
  options[index].scrollIntoView({ block: "nearest" });
  operation = shown.interface.operations[index];
  editor = argumentsEditor(operation, shown.interface.types);
  at("signature").textContent = operation.signature;
  at("fields").replaceChildren(editor.element);
  at("raw").value = editor.text();
  at("oneway").checked = operation.oneway;
  at("oneway").disabled = operation.oneway;
  at("arguments").hidden = false;
  at("result").replaceChildren();
}

function focusForm() {
  const fields = at("as-json").checked ? at("raw") : at("fields").querySelector("input, select, textarea, button");
  (fields ?? at("make")).focus();
}

at("operations").addEventListener("keydown", (event) => {
  const options = [...event.currentTarget.children];
  const index = options.findIndex((o) => o.getAttribute("aria-selected") === "true");
  switch (event.key) {
    case "ArrowDown": choose(Math.min(index + 1, options.length - 1)); break;
    case "ArrowUp": choose(Math.max(index - 1, 0)); break;
    case "Home": choose(0); break;
    case "End": choose(options.length - 1); break;
    case "Enter":
      if (index < 0) choose(0);
      focusForm();
      break;
    default: return;
  }
  event.preventDefault();
});

// --- calls ---

at("as-json").addEventListener("change", (event) => {
  if (event.target.checked) at("raw").value = editor.text();
  else fillForm(at("raw").value);
  showMode();
});

function showMode() {
  at("raw").hidden = !at("as-json").checked;
  at("fields").hidden = at("as-json").checked;
}

// What the form cannot show stays text.
function fillForm(text) {
  try {
    editor.set(numbersAsText(text));
    at("as-json").checked = false;
  } catch {
    at("raw").value = text;
    at("as-json").checked = true;
  }
}

at("arguments").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (calling) return;
  const input = {
    reference: shown.reference, operation: operation.name, oneway: at("oneway").checked,
    arguments: at("as-json").checked ? at("raw").value : editor.text(),
  };
  if (shown.chosen) input.interface = shown.chosen;
  const made = { input, node: shown.node, chosen: shown.chosen, words: operation.words.join(" ") };
  setCalling(true);
  at("result").replaceChildren(element("p", "", "calling …"));
  let answer;
  try {
    answer = await ask("call", input);
  } catch (error) {
    answer = { status: "wrong", text: error.message };
  }
  setCalling(false);
  showResult(answer);
  remember(made, answer);
});

function setCalling(yes) {
  calling = yes;
  at("make").setAttribute("aria-disabled", String(yes));
}

// A text area has Enter for itself.
at("arguments").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.ctrlKey) at("arguments").requestSubmit(at("make"));
});

function inWords(nanoseconds) {
  if (nanoseconds === undefined) return "";
  const us = nanoseconds / 1000;
  return us < 1000 ? `${us.toFixed(0)} µs` : us < 1e6 ? `${(us / 1000).toFixed(1)} ms` : `${(us / 1e6).toFixed(2)} s`;
}

function heading(answer) {
  switch (answer.status) {
    case "result": return ["good", "Result"];
    case "sent": return ["good", "Sent"];
    case "user": return ["bad", `Exception ${answer.name}`];
    case "system": return ["bad", `System exception ${answer.name}, minor ${answer.minor}, completed: ${answer.completed}`];
    case "shown": return ["bad", "A result that cannot be shown"];
    default: return ["bad", "Not called"];
  }
}

// Text, and a button behind each reference in it.
function withReferences(text) {
  const parts = text.split(/("IOR:[0-9a-fA-F]+")/);
  return parts.flatMap((part, i) => {
    if (i % 2 === 0) return [part];
    const button = element("button", "small", "open");
    button.type = "button";
    button.addEventListener("click", () => openReference(part.slice(1, -1)));
    return [part, " ", button];
  });
}

function showResult(answer) {
  const [className, title] = heading(answer);
  const time = inWords(answer.nanoseconds);
  const parts = [element("p", "", element("span", className, title), time ? `, ${time}` : "")];
  parts[0].id = "outcome";
  if (answer.output !== undefined) parts.push(element("pre", "", ...withReferences(answer.output)));
  if (answer.text) parts.push(element("pre", "", answer.text));
  if (answer.command) {
    const copy = element("button", "small", "Copy");
    copy.type = "button";
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(answer.command).then(() => { copy.textContent = "Copied"; },
                                                               () => { copy.textContent = "Select it by hand"; });
    });
    const line = element("details", "", element("summary", "", "The same in a shell"), element("code", "", answer.command), " ", copy);
    line.id = "command";
    parts.push(line);
  }
  at("result").replaceChildren(...parts);
}

function remember(made, answer) {
  const [className, title] = heading(answer);
  const mark = element("span", className, className === "good" ? "✓ " : "✗ ");
  const button = element("button", "", mark, `${made.words} ${made.input.arguments} ${inWords(answer.nanoseconds)}`);
  button.type = "button";
  button.title = `${made.node.name}: ${title}`;
  button.addEventListener("click", async () => {
    const same = shown && shown.reference === made.input.reference && shown.chosen === made.chosen;
    if (!same) await open({ ...made.node, source: { reference: made.input.reference }, reference: made.input.reference }, made.chosen);
    const index = shown?.interface?.operations.findIndex((o) => o.name === made.input.operation) ?? -1;
    if (index < 0) return;
    choose(index);
    fillForm(made.input.arguments);
    showMode();
    if (!operation.oneway) at("oneway").checked = made.input.oneway;
    showResult(answer);
    focusForm();
  });
  at("calls").prepend(element("li", "", button));
  while (at("calls").children.length > kMostHistory) at("calls").lastChild.remove();
  at("history").hidden = false;
}

// Escape: one step back, from the form to the operations, from there to the tree.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (event.target.closest("#call") && !at("object-parts").hidden) at("operations").focus();
  else tree.focusCurrent();
  event.preventDefault();
});

const start = await ask("roots", {}).catch((error) => ({ error: error.message, roots: [], interfaces: [], idl: [] }));
interfaces = start.interfaces;
at("sources").textContent = start.error ?? (start.idl.length ? `types from ${start.idl.join(", ")}` : "types from an Interface Repository");
for (const root of start.roots) tree.add({ name: root.name, source: { reference: root.reference } });
tree.focusCurrent();
document.body.dataset.ready = "yes";
