// SPDX-License-Identifier: Apache-2.0
// The tree of objects: the keys of the ARIA pattern "tree view". What servers send is put in as text only.

export class Tree {
  // expand(node): promise of child nodes, or null for an object that is no context; choose(node, byKey): Enter or a
  // click.
  // A node: {name, source, context}; context: true, false, or undefined while nobody has asked.
  constructor(element, { expand, choose }) {
    this.element = element;
    this.expand = expand;
    this.choose = choose;
    element.addEventListener("keydown", (event) => this.key(event));
  }

  add(node, list = this.element, level = 1) {
    const item = document.createElement("li");
    const row = document.createElement("span");
    row.className = "row";
    row.textContent = node.name;
    item.append(row);
    item.setAttribute("role", "treeitem");
    item.setAttribute("aria-level", level);
    item.setAttribute("aria-selected", "false");
    item.tabIndex = this.element.querySelector("[tabindex='0']") ? -1 : 0;
    if (node.context !== false) item.setAttribute("aria-expanded", "false");
    item.node = node;
    row.addEventListener("click", () => {
      this.focus(item);
      this.select(item);
      if (node.context) this.toggle(item);
    });
    list.append(item);
    return item;
  }

  focus(item) {
    for (const other of this.element.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
  }

  focusCurrent() {
    (this.element.querySelector("[tabindex='0']") ?? this.element).focus();
  }

  select(item, byKey = false) {
    for (const other of this.element.querySelectorAll("[aria-selected='true']")) other.setAttribute("aria-selected", "false");
    item.setAttribute("aria-selected", "true");
    this.choose(item.node, byKey);
  }

  toggle(item) {
    return item.getAttribute("aria-expanded") === "true" ? this.close(item) : this.open(item);
  }

  close(item) {
    item.setAttribute("aria-expanded", "false");
    item.querySelector("ul")?.remove();
  }

  async open(item) {
    if (item.busy) return;
    item.busy = true;
    const children = await this.expand(item.node).finally(() => { item.busy = false; });
    if (!children) {
      item.removeAttribute("aria-expanded");
      return;
    }
    this.close(item);
    const list = document.createElement("ul");
    list.setAttribute("role", "group");
    item.append(list);
    item.setAttribute("aria-expanded", "true");
    for (const child of children) this.add(child, list, Number(item.getAttribute("aria-level")) + 1);
  }

  key(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    const shown = [...this.element.querySelectorAll("[role=treeitem]")];
    const at = shown.indexOf(item);
    const go = (to) => to && this.focus(to);
    const expanded = item.getAttribute("aria-expanded");
    switch (event.key) {
      case "ArrowDown": go(shown[at + 1]); break;
      case "ArrowUp": go(shown[at - 1]); break;
      case "Home": go(shown[0]); break;
      case "End": go(shown.at(-1)); break;
      case "ArrowRight":
        if (expanded === "false") this.open(item);
        else if (expanded === "true") go(item.querySelector("[role=treeitem]"));
        break;
      case "ArrowLeft":
        if (expanded === "true") this.close(item);
        else go(item.parentElement.closest("[role=treeitem]"));
        break;
      case "Enter":
      case " ": this.select(item, true); break;
      default: return;
    }
    event.preventDefault();
  }
}
