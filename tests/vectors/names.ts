/** The letter with which names of each kind of event begin, such as `m1` for the first message; `e` for other kinds. */
const LETTERS: Record<string, string> = {
  open: "o",
  keepalive: "k",
  message: "m",
  poll_request: "r",
  message_delete: "d",
  message_clear: "c",
};

/** Each server has its own error texts and links. */
const ANY_TEXT = "{{text}}";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const mapValues = (object: Json, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/**
 * Names for the values that differ in every run: ids, times and topics. `hide` replaces each value by a name, numbered
 * in order of appearance, so that two runs of the same steps read alike; `fill` puts the values back.
 */
export class Names {
  readonly #values = new Map<string, string | number>();
  /** Texts and their names, longest text first. */
  #texts: [text: string, name: string][] = [];
  readonly #counts = new Map<string, number>();

  constructor(given: Readonly<Record<string, string>> = {}) {
    for (const [name, value] of Object.entries(given)) this.#values.set(name, value);
  }

  /** Gives a text a name, which replaces it wherever it occurs. */
  give(name: string, text: string): void {
    this.#values.set(name, text);
    this.#texts = [...this.#texts, [text, name] as [string, string]].sort(([a], [b]) => b.length - a.length);
  }

  /** Replaces names by their values. @throws Error for a name that has no value yet */
  fill<T>(value: T): T;
  fill(value: unknown): unknown {
    if (typeof value === "string") return value.replace(/\{\{([^}]+)\}\}/g, (_, name: string) => this.#valueOf(name));
    if (Array.isArray(value)) return value.map((entry: unknown) => this.fill(entry));
    return isObject(value) ? mapValues(value, (entry) => this.fill(entry)) : value;
  }

  /** Replaces the values that differ in every run by their names. */
  hide(value: unknown): unknown {
    if (typeof value === "string") {
      return this.#texts.reduce((text, [known, name]) => text.replaceAll(known, `{{${name}}}`), value);
    }
    if (Array.isArray(value)) return value.map((entry) => this.hide(entry));
    if (!isObject(value)) return value;
    if (typeof value["id"] === "string" && typeof value["event"] === "string") return this.#hideEvent(value);
    if (typeof value["code"] === "number" && typeof value["http"] === "number") {
      return mapValues(value, (entry, key) => (key === "error" || key === "link" ? ANY_TEXT : this.hide(entry)));
    }
    return mapValues(value, (entry) => this.hide(entry));
  }

  #hideEvent(event: Json): Json {
    const name = this.#eventName(String(event["id"]), String(event["event"]));
    const time = Number(event["time"]);
    if (!this.#values.has(`${name}.time`)) this.#values.set(`${name}.time`, time);
    if (Array.isArray(event["actions"])) {
      event["actions"].forEach((action: unknown, index) => {
        const id = isObject(action) ? action["id"] : undefined;
        if (typeof id === "string" && !this.#isKnown(id)) this.give(`${name}.action${index + 1}`, id);
      });
    }
    return mapValues(event, (value, key) => {
      if (key === "time" && value === this.#values.get(`${name}.time`)) return `{{${name}.time}}`;
      if (key === "expires" && typeof value === "number") {
        return value === time ? `{{${name}.time}}` : `{{${name}.time+${value - time}}}`;
      }
      if (key === "attachment" && isObject(value)) {
        return mapValues(value, (entry, part) =>
          part === "expires" ? this.#hideNumber(`${name}.attachmentExpires`, entry) : this.hide(entry),
        );
      }
      return this.hide(value);
    });
  }

  #eventName(id: string, kind: string): string {
    const known = this.#texts.find(([text]) => text === id)?.[1];
    if (known !== undefined) return known.replace(/\.id$/, "");
    const letter = LETTERS[kind] ?? "e";
    const count = (this.#counts.get(letter) ?? 0) + 1;
    this.#counts.set(letter, count);
    this.give(`${letter}${count}.id`, id);
    return `${letter}${count}`;
  }

  /** A number that equals the named one is replaced by the name; a different one is shown. */
  #hideNumber(name: string, value: unknown): unknown {
    if (typeof value !== "number") return this.hide(value);
    if (!this.#values.has(name)) this.#values.set(name, value);
    return this.#values.get(name) === value ? `{{${name}}}` : value;
  }

  #isKnown(text: string): boolean {
    return this.#texts.some(([known]) => known === text);
  }

  #valueOf(name: string): string {
    const [, before = name, more = "0"] = /^(.+)([+-]\d+)$/.exec(name) ?? [];
    const encoded = /^base64url:(.+)$/s.exec(name)?.[1];
    if (encoded !== undefined) return Buffer.from(encoded).toString("base64url");
    const value = this.#values.get(before);
    if (value === undefined) throw new Error(`{{${name}}} has no value yet`);
    return typeof value === "number" ? String(value + Number(more)) : value;
  }
}
