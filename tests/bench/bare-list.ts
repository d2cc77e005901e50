import type { LoopbackServer } from "./loopback-server";

const ROWS = 2_000;

/** Serves a page with a long static list; returns its address. */
export function serveBareList(server: LoopbackServer): string {
  const rows = Array.from(
    { length: ROWS },
    (_, at) => `<li><h3>Message ${at}</h3><p>Its text, as long as others</p></li>`,
  );
  server.serve("/list/", {
    type: "text/html",
    body: `<!doctype html><title>list</title><style>h3,p{margin:4px}</style><ul>${rows.join("")}</ul>`,
  });
  return `${server.url}/list/`;
}

/**
 * Serves a page with a static list in which `j` moves the focus by an item, and nothing else happens; returns its
 * address.
 */
export function serveBareSteps(server: LoopbackServer): string {
  const items = Array.from({ length: ROWS }, (_, at) => `<li tabindex="0"><h3>Message ${at}</h3></li>`);
  const step = `onkeydown = () => (document.activeElement.nextElementSibling ?? document.querySelector("li")).focus()`;
  server.serve("/steps/", {
    type: "text/html",
    body: `<!doctype html><title>steps</title><ul>${items.join("")}</ul><script>${step}</script>`,
  });
  return `${server.url}/steps/`;
}
