/** The part of Cache Storage that is used here. */
type LanguageCache = Pick<Cache, "match" | "put" | "keys" | "delete">;

interface LanguageEnvironment {
  /** Addresses of the languages' files by language code; English is in the app itself. */
  files: Readonly<Record<string, string>>;
  open: () => Promise<LanguageCache>;
  /** Fetches a file to keep; rejects if it isn't the right one. */
  load: (url: string) => Promise<Response>;
  /** Address under which the cache notes the language in use; no file has this address. */
  note: string;
}

/** Keeps the file of the page's language. A new version fetches its own before it takes over. */
export class KeptLanguage {
  constructor(private readonly environment: LanguageEnvironment) {}

  /** Whether an address is a language's file. */
  isFile(url: string): boolean {
    return Object.values(this.environment.files).includes(url);
  }

  /** The kept file; undefined if it isn't kept. */
  async match(url: string): Promise<Response | undefined> {
    return (await this.environment.open()).match(url);
  }

  /**
   * Keeps this language's file and no other of this version; one that waits has its own there. Languages without a file,
   * such as "en", keep none.
   */
  async use(code: string): Promise<void> {
    const store = await this.environment.open();
    await store.put(this.environment.note, new Response(code));
    await this.renew();
    const used = await this.#fileIn(store);
    for (const url of Object.values(this.environment.files)) if (url !== used) await store.delete(url);
  }

  /** Fetches this version's file of the language in use, unless it is kept already. */
  async renew(): Promise<void> {
    const store = await this.environment.open();
    const url = await this.#fileIn(store);
    if (url !== undefined && !(await store.match(url))) await store.put(url, await this.environment.load(url));
  }

  /** Forgets the files of other languages and of other versions. */
  async clean(): Promise<void> {
    const store = await this.environment.open();
    const used = [this.environment.note, await this.#fileIn(store)];
    for (const { url } of await store.keys()) if (!used.includes(url)) await store.delete(url);
  }

  async #fileIn(store: LanguageCache): Promise<string | undefined> {
    const code = await (await store.match(this.environment.note))?.text();
    return code !== undefined && Object.hasOwn(this.environment.files, code) ? this.environment.files[code] : undefined;
  }
}
