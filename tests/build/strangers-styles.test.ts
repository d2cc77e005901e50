import { expect, test } from "vitest";
import { stylesFor } from "../../src/build/strangers-styles";

const MARKUP = '<template data-frame="frame s1"><p class="lead s1">text</p></template>';

test("keeps rules whose classes are all in the markup, in their order, and those without a class", () => {
  const css =
    "p{margin:0}.lead.s1{color:red}.lead.s2{color:blue}.other{top:0}.frame.s1 .lead:where(.s1){left:0}a:hover{top:0}";
  expect(stylesFor(MARKUP, css)).toBe("p{margin:0}.lead.s1{color:red}.frame.s1 .lead:where(.s1){left:0}a:hover{top:0}");
});

test("keeps those selectors of a list that may match", () => {
  expect(stylesFor(MARKUP, ".other,.lead,h1{top:0}")).toBe(".lead,h1{top:0}");
});

test("a class in parentheses may be one that comes later, or must be missing", () => {
  const css = ".lead:not(.other){top:0}:is(.other,.lead):has(>.busy){left:0}";
  expect(stylesFor(MARKUP, css)).toBe(css);
});

test("keeps the shapes of the frame, which the page's script chooses", () => {
  expect(stylesFor(MARKUP, ".phone.s1{top:0}.wide.s1{top:0}.narrow.s1{top:0}")).toBe(".phone.s1{top:0}.wide.s1{top:0}");
});

test("looks into media queries, and leaves out those that become empty", () => {
  const css =
    "@media (width<=40em){.lead{top:0}.other{top:0}}@media print{.other{top:0}}@supports (a:b){@media print{p{top:0}}}";
  expect(stylesFor(MARKUP, css)).toBe("@media (width<=40em){.lead{top:0}}@supports (a:b){@media print{p{top:0}}}");
});

test("leaves out animations and properties of the page that nothing uses any more", () => {
  const css =
    '@property --end{syntax:"<length>";inherits:true}@keyframes s1-show{0%{top:0}}@keyframes s2-show{0%{top:0}}' +
    ":root{color-scheme:dark;--ink:red;--used:var(--also);--also:1px;--unused:var(--by-unused);--by-unused:2px}" +
    ".lead{animation:s1-show 1s;color:var(--ink);top:var(--used,0px)}.other{animation:s2-show 1s;left:var(--end)}";
  expect(stylesFor(MARKUP, css)).toBe(
    "@keyframes s1-show{0%{top:0}}:root{color-scheme:dark;--ink:red;--used:var(--also);--also:1px}" +
      ".lead{animation:s1-show 1s;color:var(--ink);top:var(--used,0px)}",
  );
});

test("is not misled by braces, commas and semicolons in strings and in nested rules", () => {
  const css = 'p:after{content:"}{,;\\"";top:0}@media print{:is([a="{"],p){top:0;&,& *{left:0}}}';
  expect(stylesFor(MARKUP, css)).toBe(css);
});

test("refuses what it can't read", () => {
  expect(() => stylesFor(MARKUP, '@import "other.css";')).toThrow("no rule");
});
