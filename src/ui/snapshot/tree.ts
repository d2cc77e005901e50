/** An element as it is stored in a snapshot, or a text. */
export type Tree = string | [tag: string, attributes: Pairs, styles: Pairs, ...children: Tree[]];
type Pairs = Record<string, string>;

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "path"]);
const TAGS = new Set(
  (
    "a article b bdi button code div em footer form h1 h2 h3 h4 header i input kbd label li main mark nav ol p pre section " +
    "small span strong time u ul svg path"
  ).split(" "),
);
const ATTRIBUTES = new Set(
  (
    "class id role tabindex href target rel dir lang datetime title type placeholder d viewBox width height disabled " +
    "aria-label aria-labelledby aria-hidden aria-current aria-expanded aria-pressed aria-posinset aria-setsize aria-busy " +
    "aria-haspopup aria-keyshortcuts aria-disabled"
  ).split(" "),
);
const STYLES = new Set(["background", "color", "font-size", "inline-size", "block-size", "--level"]);
const STYLE_VALUE = /^(?:var\(--[a-z0-9-]+\)|[\d.]+(?:px|rem)?)$/;
const ADDRESS = /^(?:https?:\/\/|#)/;

/** Limits of a screen; a larger snapshot is neither taken nor built. */
const MAX_ELEMENTS = 5_000;
const MAX_DEPTH = 60;

/** What lasts no longer than the page: connection states, hover, an open message. */
const PASSING_PARTS = "[data-passing], [role=alert]";
const PASSING_CLASSES = new Set(["selected", "picked", "split", "behind"]);

const isAttribute = (name: string, value: string): boolean =>
  ATTRIBUTES.has(name) && (name !== "href" || ADDRESS.test(value));
const isStyle = (name: string, value: string): boolean => STYLES.has(name) && STYLE_VALUE.test(value);

/** An element as shown, for a snapshot. @param bottom what begins further down is left out, px */
export function treeOf(element: Element, bottom: number): Tree | undefined {
  const box = element.getBoundingClientRect();
  if (element.matches(PASSING_PARTS) || box.top >= bottom || getComputedStyle(element).display === "none") {
    return undefined;
  }
  const tag = element.localName;
  const styles: Pairs = {};
  if (!TAGS.has(tag)) {
    // A picture or a film only leaves its place.
    styles["inline-size"] = `${String(box.width)}px`;
    styles["block-size"] = `${String(box.height)}px`;
    return ["span", { class: element.classList.value }, styles];
  }
  const { style } = element as HTMLElement | SVGElement;
  for (const name of STYLES) {
    const value = style.getPropertyValue(name);
    if (isStyle(name, value)) styles[name] = value;
  }
  const attributes: Pairs = {};
  for (const { name, value } of element.attributes) if (isAttribute(name, value)) attributes[name] = value;
  const classes = [...element.classList].filter((name) => !PASSING_CLASSES.has(name));
  if (attributes["class"] !== undefined) attributes["class"] = classes.join(" ");
  const children: Tree[] = [];
  // Announcements are only for the moment.
  if (element.role !== "status") {
    for (const child of element.childNodes) {
      if (child instanceof Text && child.data !== "") children.push(child.data);
      const tree = child instanceof Element ? treeOf(child, bottom) : undefined;
      if (tree) children.push(tree);
    }
  }
  return [tag, attributes, styles, ...children];
}

/** Builds a snapshot's elements. Undefined if it holds anything `treeOf` doesn't write. */
export function build(tree: unknown): Element | undefined {
  let left = MAX_ELEMENTS;
  // Indexes and `for in`, because this runs once, uncompiled, and the first rows wait for it.
  const make = (node: unknown, depth: number): Element | undefined => {
    if (!Array.isArray(node) || depth > MAX_DEPTH || --left < 0) return undefined;
    const tag: unknown = node[0];
    const attributes: unknown = node[1];
    const styles: unknown = node[2];
    if (typeof tag !== "string" || !TAGS.has(tag) || !isObject(attributes) || !isObject(styles)) return undefined;
    const element = SVG_TAGS.has(tag)
      ? document.createElementNS(SVG, tag as "svg" | "path")
      : document.createElement(tag);
    for (const name in attributes) {
      const value = attributes[name];
      if (typeof value !== "string" || !isAttribute(name, value)) return undefined;
      element.setAttribute(name, value);
    }
    for (const name in styles) {
      const value = styles[name];
      if (typeof value !== "string" || !isStyle(name, value)) return undefined;
      (element as HTMLElement | SVGElement).style.setProperty(name, value);
    }
    for (let at = 3; at < node.length; at++) {
      const child: unknown = node[at];
      const made = typeof child === "string" ? child : make(child, depth + 1);
      if (made === undefined) return undefined;
      element.append(made);
    }
    return element;
  };
  return make(tree, 0);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
