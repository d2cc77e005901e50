/** A `CacheStorage` in memory, with as much of it as the hub uses: a file is there whole or not at all. */
export class FakeFileCache {
  readonly files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; headers: Headers }>();
  /** Bytes that fit in all. */
  quota = Infinity;

  open(): Promise<Cache> {
    return Promise.resolve(this as unknown as Cache);
  }

  /** Called before a file is deleted. */
  onDelete: ((name: string) => void) | undefined;

  async put(url: string, response: Response): Promise<void> {
    const bytes = new Uint8Array(await response.arrayBuffer());
    const used = [...this.files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
    if (used + bytes.length > this.quota) throw new DOMException("no room", "QuotaExceededError");
    this.files.set(url, { bytes, headers: response.headers });
  }

  match(url: string): Promise<Response | undefined> {
    const file = this.files.get(url);
    return Promise.resolve(file && new Response(file.bytes, { headers: file.headers }));
  }

  keys(): Promise<{ url: string }[]> {
    return Promise.resolve([...this.files.keys()].map((url) => ({ url })));
  }

  async delete(url: string): Promise<boolean> {
    this.onDelete?.(url);
    return Promise.resolve(this.files.delete(url));
  }

  /** Texts of all files, by name. */
  get texts(): string[] {
    return [...this.files.values()].map(({ bytes }) => new TextDecoder().decode(bytes));
  }
}
