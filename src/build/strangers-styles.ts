import type { Plugin } from "vite";

/** At-rules that hold rules in turn. */
const GROUP = /^@(?:media|supports|container|layer)\b/;
/** At-rules that only count where their name is used. */
const NAMED = /^@(?:keyframes|property) (\S+)/;
/** Classes that the script in the page gives the frame of a screen. */
const OF_FRAME = ["phone", "middle", "wide"];

/** A rule of a style sheet: what stands before its braces, and in them. */
interface Rule {
  head: string;
  body: string;
}

/**
 * Vite plugin: writes the styles of a stranger's screens into index.html, as the text of a template, from which the page's
 * script makes a style sheet (docs/decisions/0032). Must come after the plugins that write these screens, and links to
 * their style sheets, into the page.
 */
export function strangersStylesPlugin(): Plugin {
  return {
    name: "earshot:strangers-styles",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle = {} }) => {
        const links = [
          ...html.matchAll(/<link rel="(?:stylesheet|earshot-visit" as="style)"[^>]* href="\.\/([^"]+)"/g),
        ];
        const sheets = links.map(([, file = ""]) => {
          const asset = bundle[file];
          if (asset?.type !== "asset") throw new Error(`${file} was not built.`);
          return String(asset.source);
        });
        if (sheets.length < 2) throw new Error("The styles of a first visit were not built.");
        const markup = [...html.matchAll(/<template [^]*?<\/template>/g)].join("\n");
        const css = stylesFor(markup, sheets.join(""));
        // Addresses in it would be relative to the page.
        if (css.includes("url(")) throw new Error("The styles of a first visit must need no other files.");
        const text = css.replace(/&/g, "&amp;").replace(/</g, "&lt;");
        return html.replace("<noscript>", () => `<template id="strangers-styles">${text}</template>\n    <noscript>`);
      },
    },
  };
}

/**
 * The rules that may count for the markup, in their order: those without a class that isn't in it, and properties of
 * the page that one of them uses.
 *
 * @param markup of all screens
 * @param css minified, without comments
 */
export function stylesFor(markup: string, css: string): string {
  const classes = new Set(
    [...markup.matchAll(/(?:class|data-frame)="([^"]*)"/g)].flatMap(([, names = ""]) => names.split(" ")),
  );
  for (const name of OF_FRAME) classes.add(name);
  return used(kept(rulesOf(css), classes))
    .map(textOf)
    .join("");
}

const textOf = ({ head, body }: Rule): string => `${head}{${body}}`;

function kept(rules: readonly Rule[], classes: ReadonlySet<string>): Rule[] {
  return rules.flatMap(({ head, body }) => {
    if (GROUP.test(head)) {
      const inner = kept(rulesOf(body), classes);
      return inner.length === 0 ? [] : [{ head, body: inner.map(textOf).join("") }];
    }
    if (head.startsWith("@")) return [{ head, body }];
    const selectors = partsOf(head, ",").filter((selector) =>
      [...withoutArguments(selector).matchAll(/\.([\w-]+)/g)].every(([, name = ""]) => classes.has(name)),
    );
    return selectors.length === 0 ? [] : [{ head: selectors.join(","), body }];
  });
}

/** Leaves out animations, and properties of the page, that no rule uses. */
function used(rules: readonly Rule[]): Rule[] {
  const css = rules.map(textOf).join("");
  const isUsed = (name: string): boolean =>
    name.startsWith("--")
      ? css.includes(`var(${name})`) || css.includes(`var(${name},`)
      : rules.some(({ head, body }) => !head.startsWith("@keyframes") && body.includes(name));
  const left = rules.flatMap(({ head, body }): Rule[] => {
    const [, name] = NAMED.exec(head) ?? [];
    if (name !== undefined) return isUsed(name) ? [{ head, body }] : [];
    if (head !== ":root") return [{ head, body }];
    const declared = partsOf(body, ";").filter(
      (one) => !one.startsWith("--") || isUsed(one.slice(0, one.indexOf(":"))),
    );
    return [{ head, body: declared.join(";") }];
  });
  // What was left out may have been the only use of something else.
  return left.map(textOf).join("") === css ? left : used(left);
}

/** A selector without what stands in parentheses, such as in `:not()`. */
function withoutArguments(selector: string): string {
  const less = selector.replace(/\([^()]*\)/g, "");
  return less === selector ? selector : withoutArguments(less);
}

/** The rules of a style sheet, or of an at-rule that holds some. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = [];
  let head: string | undefined;
  let text = "";
  for (const { piece, depth } of piecesOf(css)) {
    if (depth === 0 && piece === "{") {
      head = text.trim();
      text = "";
    } else if (depth === 0 && piece === "}" && head !== undefined) {
      rules.push({ head, body: text });
      head = undefined;
      text = "";
    } else {
      text += piece;
    }
  }
  if (text.trim() !== "") throw new Error(`This is no rule of a style sheet: ${text}`);
  return rules;
}

/** Splits CSS at a separator that stands in no brackets. */
function partsOf(css: string, separator: "," | ";"): string[] {
  const parts = [""];
  for (const { piece, depth } of piecesOf(css)) {
    if (depth === 0 && piece === separator) parts.push("");
    else parts.push((parts.pop() ?? "") + piece);
  }
  return parts.filter((part) => part !== "");
}

/** The characters of CSS, each with how many brackets are open around it. A string or an escaped character is one piece. */
function* piecesOf(css: string): Generator<{ piece: string; depth: number }> {
  let depth = 0;
  for (const [piece] of css.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|[^]/g)) {
    if (/^[)\]}]$/.test(piece)) depth--;
    yield { piece, depth };
    if (/^[([{]$/.test(piece)) depth++;
  }
}
