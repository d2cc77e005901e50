/** Words for made-up messages. */
const WORDS =
  "backup of the north disk ended after nine minutes with no errors and twelve new snapshots were kept while four old ones went".split(
    " ",
  );

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const KEPT_S = 43_200;

/** Random-looking numbers that are the same in every run, made as simply as possible. */
function generator(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A replay as a server sends it: one object a line, about 250 bytes each, and one message a second from `firstTime` on.
 *
 * @param seed determines their contents
 */
export function backlog(topic: string, count: number, firstTime: number, seed = firstTime): string {
  const random = generator(seed);
  const pick = (from: string | string[], length: number) =>
    Array.from({ length }, () => from[Math.floor(random() * from.length)] ?? "");
  const lines = Array.from({ length: count }, (_, at) => {
    const time = firstTime + at;
    const id = pick(ALPHABET, 12).join("");
    const base = { id, time, expires: time + KEPT_S, event: "message", topic };
    const priority = 1 + Math.floor(random() * 5);
    const title = random() < 0.5 ? { title: pick(WORDS, 4).join(" ") } : {};
    const tags = random() < 0.5 ? { tags: ["warning", "backup"] } : {};
    return JSON.stringify({ ...base, ...title, message: pick(WORDS, 16).join(" "), ...tags, priority });
  });
  return `${lines.join("\n")}\n`;
}
