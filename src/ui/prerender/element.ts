type Child = Node | string | false | undefined;

/** Makes an element; classes that are `false` are left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  classes: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(attribute, value);
  }
  for (const child of children) if (child) made.append(child);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes an SVG out of paths, each with its classes. */
export function drawing(
  classes: string,
  size: number,
  attributes: Readonly<Record<string, string>>,
  ...paths: readonly (readonly [classes: string, path: string])[]
): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  if (classes) svg.setAttribute("class", classes);
  for (const [name, value] of Object.entries({
    width: String(size),
    height: String(size),
    viewBox: "0 0 24 24",
    ...attributes,
  })) {
    svg.setAttribute(name, value);
  }
  for (const [of, d] of paths) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", of);
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}
