/**
 * A document for the page of the translation editor, as far as the page uses it: elements, their attributes and events, and the
 * focus. Nothing is laid out: each element is as high as a test says.
 */

type Listener = (event: PageEvent) => unknown;

/** An event that goes up from an element. */
export class PageEvent {
  readonly type: string;
  target: PageElement | null = null;
  currentTarget: PageElement | null = null;
  defaultPrevented = false;
  isStopped = false;
  [detail: string]: unknown;

  constructor(type: string, detail: object = {}) {
    this.type = type;
    Object.assign(this, detail);
  }

  preventDefault(): void {
    this.defaultPrevented = true;
  }

  stopPropagation(): void {
    this.isStopped = true;
  }

  getModifierState(): boolean {
    return false;
  }
}

export class PageNode {
  parentNode: PageElement | null = null;
  readonly childNodes: PageNode[] = [];

  get firstChild(): PageNode | null {
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): PageNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  get textContent(): string {
    return this.childNodes.map((node) => node.textContent).join("");
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }

  contains(other: PageNode | null): boolean {
    for (let node = other; node !== null; node = node.parentNode) if (node === this) return true;
    return false;
  }
}

class PageText extends PageNode {
  readonly nodeType = 3;
  data: string;

  constructor(text: string) {
    super();
    this.data = text;
  }

  override get textContent(): string {
    return this.data;
  }
}

/** The handlers that elements have: preact adds a listener of the lower-case name for those that are there. */
const HANDLERS = ["click", "dblclick", "mousedown", "input", "change", "keydown", "scroll", "scrollend"];
const MORE_HANDLERS = ["paste", "copy", "submit", "focusout"];

export class PageElement extends PageNode {
  readonly nodeType = 1;
  readonly localName: string;
  readonly namespaceURI = "http://www.w3.org/1999/xhtml";
  readonly ownerDocument: PageDocument;
  readonly #attributes = new Map<string, string>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly style: Record<string, unknown> = {
    setProperty: (name: string, value: unknown) => void (this.style[name] = value),
  };
  value = "";
  defaultValue = "";
  checked = false;
  disabled = false;
  #scrollTop = 0;
  scrollLeft = 0;
  clientHeight = 600;
  /** The selected part of a text box. */
  selection: readonly [number, number] = [0, 0];
  /** How often it was scrolled into view. */
  shownCount = 0;

  constructor(document: PageDocument, name: string) {
    super();
    this.ownerDocument = document;
    this.localName = name;
    for (const handler of [...HANDLERS, ...MORE_HANDLERS]) Object.assign(this, { [`on${handler}`]: null });
  }

  get scrollTop(): number {
    return this.#scrollTop;
  }

  /** The event comes later, as in a browser. */
  set scrollTop(pixels: number) {
    if (pixels === this.#scrollTop) return;
    this.#scrollTop = Math.max(0, pixels);
    setTimeout(() => this.fire("scroll"));
  }

  get offsetHeight(): number {
    return this.ownerDocument.heightOf(this);
  }

  get offsetParent(): PageElement | null {
    return this.ownerDocument.isHidden(this) ? null : this.parentNode;
  }

  get attributes(): readonly { readonly name: string; readonly value: string }[] {
    return Array.from(this.#attributes, ([name, value]) => ({ name, value }));
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name.toLowerCase()) ?? null;
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name.toLowerCase(), String(value));
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name.toLowerCase());
  }

  addEventListener(type: string, listener: Listener): void {
    const all = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, all.add(listener));
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener);
  }

  insertBefore(node: PageNode, before: PageNode | null): PageNode {
    node.parentNode?.removeChild(node);
    const at = before === null ? -1 : this.childNodes.indexOf(before);
    this.childNodes.splice(at === -1 ? this.childNodes.length : at, 0, node);
    node.parentNode = this;
    // As a browser does with the text that a box begins with.
    if (node instanceof PageElement && node.localName === "textarea" && node.value === "")
      node.value = node.defaultValue;
    return node;
  }

  appendChild(node: PageNode): PageNode {
    return this.insertBefore(node, null);
  }

  removeChild(node: PageNode): PageNode {
    const { activeElement } = this.ownerDocument;
    if (node.contains(activeElement)) this.ownerDocument.activeElement = this.ownerDocument.body;
    this.childNodes.splice(this.childNodes.indexOf(node), 1);
    node.parentNode = null;
    return node;
  }

  /** Dispatches an event, which goes up unless it is stopped. Returns it. */
  fire(type: string, detail: object = {}): PageEvent {
    const event = new PageEvent(type, detail);
    event.target = this;
    this.#receive(event);
    return event;
  }

  #receive(event: PageEvent): void {
    event.currentTarget = this;
    for (const listener of [...(this.#listeners.get(event.type) ?? [])]) listener.call(this, event);
    if (!event.isStopped && this.parentNode !== null) this.parentNode.#receive(event);
  }

  focus(): void {
    const { activeElement } = this.ownerDocument;
    if (activeElement === this) return;
    this.ownerDocument.activeElement = this;
    activeElement.fire("focusout", { relatedTarget: this });
  }

  select(): void {
    this.focus();
  }

  setSelectionRange(from: number, to: number): void {
    this.selection = [from, to];
  }

  scrollIntoView(): void {
    this.shownCount += 1;
  }

  matches(selector: string): boolean {
    return selector.split(/,(?![^(]*\))/u).some((each) => matchesPath(this, parts(each)));
  }

  closest(selector: string): PageElement | null {
    if (this.matches(selector)) return this;
    return this.parentNode?.closest(selector) ?? null;
  }

  querySelectorAll(selector: string): PageElement[] {
    return this.childNodes.flatMap((node) =>
      node instanceof PageElement
        ? [...(node.matches(selector) ? [node] : []), ...node.querySelectorAll(selector)]
        : [],
    );
  }

  querySelector(selector: string): PageElement | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

export class PageButton extends PageElement {}
export class PageSelect extends PageElement {}

/** Returns the parts of a selector, from the last on, each with what is between it and the one before. */
function parts(selector: string): readonly (readonly [compound: string, isChild: boolean])[] {
  const words = selector.trim().match(/>|(?:[^\s>([]|\[[^\]]*\]|\([^)]*\))+/gu) ?? [];
  return words
    .flatMap((word, index) => (word === ">" ? [] : [[word, words[index - 1] === ">"] as const]))
    .toReversed();
}

function matchesPath(element: PageElement, path: ReturnType<typeof parts>): boolean {
  const [first, ...others] = path;
  if (first === undefined) return true;
  const [compound, isChild] = first;
  if (!matchesCompound(element, compound)) return false;
  if (others.length === 0) return true;
  for (let above = element.parentNode; above !== null; above = isChild ? null : above.parentNode)
    if (matchesPath(above, others)) return true;
  return false;
}

function matchesCompound(element: PageElement, compound: string): boolean {
  for (const [part] of compound.matchAll(/:is\([^)]*\)|\[[^\]]*\]|[.#]?[\w-]+/gu)) {
    const [, name = "", value] = /^\[([\w-]+)(?:="?([^"\]]*)"?)?\]$/u.exec(part) ?? [];
    const isMatch = part.startsWith(":is")
      ? element.matches(part.slice(4, -1))
      : part.startsWith("[")
        ? element.getAttribute(name) !== null && (value === undefined || element.getAttribute(name) === value)
        : part.startsWith(".")
          ? (element.getAttribute("class") ?? "").split(" ").includes(part.slice(1))
          : part.startsWith("#")
            ? element.getAttribute("id") === part.slice(1)
            : element.localName === part;
    if (!isMatch) return false;
  }
  return true;
}

export class PageDocument {
  readonly documentElement = new PageElement(this, "html");
  readonly body = new PageElement(this, "body");
  activeElement: PageElement = this.body;
  isFocused = true;
  /** Returns the height of an element. */
  heightOf: (element: PageElement) => number = () => 30;
  isHidden: (element: PageElement) => boolean = () => false;
  /** The commands that were run, such as `insertText`. */
  readonly executed: (readonly unknown[])[] = [];

  constructor() {
    this.documentElement.appendChild(this.body);
  }

  createElement(name: string): PageElement {
    if (name === "button") return new PageButton(this, name);
    return name === "select" ? new PageSelect(this, name) : new PageElement(this, name);
  }

  createElementNS(_namespace: string, name: string): PageElement {
    return this.createElement(name);
  }

  createTextNode(text: string): PageText {
    return new PageText(text);
  }

  hasFocus(): boolean {
    return this.isFocused;
  }

  querySelector(selector: string): PageElement | null {
    return this.documentElement.querySelector(selector);
  }

  /** Inserts text at the end of the box that has the focus. */
  execCommand(...command: readonly unknown[]): void {
    this.executed.push(command);
    if (command[0] !== "insertText") return;
    const { activeElement: box } = this;
    box.value += String(command[2]);
    box.fire("input");
  }
}
