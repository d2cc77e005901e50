// Answers and their bodies, as far as the app uses them. The platform's own took a tenth of a life's time.

type Chunk = Uint8Array<ArrayBuffer>;
type Read = ReadableStreamReadResult<Chunk>;

const encoder = new TextEncoder();

/** The body of an answer. */
export class SimBody {
  /** What came and wasn't read yet. */
  #chunks: Chunk[] = [];
  #end: { broken?: unknown } | undefined;
  #reading: { resolve(read: Read): void; reject(reason: unknown): void } | undefined;
  #isLocked = false;
  readonly #left: () => void;

  /** @param left told when nobody reads it any more */
  constructor(left: () => void = () => undefined) {
    this.#left = left;
  }

  enqueue(chunk: Chunk): void {
    if (this.#end) return;
    if (this.#reading) this.#reading.resolve({ done: false, value: chunk });
    else this.#chunks.push(chunk);
    this.#reading = undefined;
  }

  close(): void {
    this.#end ??= {};
    this.#reading?.resolve({ done: true, value: undefined });
    this.#reading = undefined;
  }

  error(broken: unknown): void {
    if (this.#end) return;
    this.#end = { broken };
    this.#chunks = [];
    this.#reading?.reject(broken);
    this.#reading = undefined;
  }

  cancel(): Promise<void> {
    return this.#isLocked ? Promise.reject(new TypeError("locked")) : this.#cancel();
  }

  getReader() {
    this.#isLocked = true;
    return { read: () => this.#read(), cancel: () => this.#cancel() };
  }

  #read(): Promise<Read> {
    const value = this.#chunks.shift();
    if (value) return Promise.resolve({ done: false, value });
    if (!this.#end) return new Promise((resolve, reject) => (this.#reading = { resolve, reject }));
    return "broken" in this.#end
      ? Promise.reject(this.#end.broken as Error)
      : Promise.resolve({ done: true, value: undefined });
  }

  #cancel(): Promise<void> {
    if (this.#end && "broken" in this.#end) return Promise.reject(this.#end.broken as Error);
    const isOpen = !this.#end;
    this.#chunks = [];
    this.close();
    if (isOpen) this.#left();
    return Promise.resolve();
  }

  /** What another makes of all that came so far. */
  pipeThrough({ work }: { work(bytes: Chunk): Chunk }): SimBody {
    const piped = new SimBody();
    try {
      for (const chunk of this.#chunks) piped.enqueue(work(chunk));
      piped.close();
    } catch (broken) {
      piped.error(broken);
    }
    return piped;
  }
}

/** An answer. */
export class SimAnswer {
  readonly body: SimBody;
  readonly status: number;
  readonly headers: { get(name: string): string | null };

  constructor(
    given: SimBody | ArrayBuffer | string,
    { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
  ) {
    this.status = status;
    const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    this.headers = { get: (name) => values.get(name.toLowerCase()) ?? null };
    this.body = given instanceof SimBody ? given : new SimBody();
    if (given instanceof SimBody) return;
    this.body.enqueue(typeof given === "string" ? encoder.encode(given) : new Uint8Array(given));
    this.body.close();
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { value } = await this.body.getReader().read();
    return value?.buffer ?? new ArrayBuffer();
  }
}
