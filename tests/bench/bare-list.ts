import type { LoopbackServer } from "./loopback-server";

const ROWS = 2_000;

/** Serves a page with a long static list; its address. */
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
