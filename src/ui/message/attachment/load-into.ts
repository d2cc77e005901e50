// The only place that gives an element an address from a message; a lint rule enforces this.
import { fetchMedia, keptCopy } from "../../../client";
import { keptFileName } from "../../../contract";
import type { ExtraHeaders } from "../../../protocol";
import type { LoadAddress, LoadSource } from "../../state/load-source";

/** An address the browser may show because it contacts only a permitted host. Only this file makes one. */
export type Showable = string & { readonly brand: "Showable" };

/** Files fetched at once: a browser opens six connections to a host, and messages need some. */
const MAX_AT_ONCE = 3;

/** Bytes kept in memory, so a redrawn message shows its picture at once. The least recently used go. */
const MAX_KEPT_BYTES = 64_000_000;

/** How close to the screen an element must be to load. */
const NEAR = "400px";

interface FetchedFile {
  url: Promise<Showable | undefined>;
  /** Absent while it is still loading. */
  blob?: Blob;
}

const fetched = new Map<string, FetchedFile>();
let running = 0;
const waiting: (() => void)[] = [];

async function fetchInTurn(href: LoadAddress, headers: ExtraHeaders | undefined): Promise<Blob | undefined> {
  if (running < MAX_AT_ONCE) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await fetchMedia(href, headers);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** A source whose bytes are in memory, and shown from there. */
type FetchedSource = Exclude<LoadSource, { by: "element" }>;

/** The key of a source: a kept file and the file at its address differ. */
const nameOf = (source: LoadSource): string => (source.by === "kept" ? keptFileName(source.key) : source.href);

async function fetchInto(source: FetchedSource, of: FetchedFile): Promise<Showable | undefined> {
  const href = nameOf(source);
  const blob =
    source.by === "kept" ? await (await keptCopy(source.key))?.blob() : await fetchInTurn(source.href, source.headers);
  if (!blob) {
    fetched.delete(href);
    return undefined;
  }
  of.blob = blob;
  let sum = [...fetched.values()].reduce((all, { blob }) => all + (blob?.size ?? 0), 0);
  for (const [other, { url, blob }] of fetched) {
    if (sum <= MAX_KEPT_BYTES) break;
    // Files that are still loading can't be dropped.
    if (other === href || !blob) continue;
    fetched.delete(other);
    sum -= blob.size;
    void url.then((address) => address !== undefined && URL.revokeObjectURL(address));
  }
  return URL.createObjectURL(blob) as Showable;
}

/** What the browser should show of a source; undefined = nothing. */
export function showable(source: LoadSource): Promise<Showable | undefined> {
  if (source.by === "element") return Promise.resolve(source.href as string as Showable);
  const href = nameOf(source);
  const known = fetched.get(href);
  fetched.delete(href);
  const one: FetchedFile = known ?? { url: Promise.resolve(undefined) };
  fetched.set(href, one);
  if (!known) one.url = fetchInto(source, one);
  return one.url;
}

/** The picture or recording as a file, to save or share; undefined if the page may not read it, or there is none. */
export async function fileOf(source: LoadSource, name: string): Promise<File | undefined> {
  if (source.by === "element" || (await showable(source)) === undefined) return undefined;
  const blob = fetched.get(nameOf(source))?.blob;
  return blob && new File([blob], name, { type: blob.type });
}

/** Loads what a message points at into its element once that is near the screen. The returned function cancels that. */
export function loadInto(
  element: HTMLImageElement | HTMLMediaElement,
  source: LoadSource,
  onfail: (href: string) => void,
): () => void {
  const { href, by } = source;
  element.addEventListener("error", () => onfail(href), { once: true });
  if (element instanceof HTMLImageElement) element.referrerPolicy = "no-referrer";
  if (by === "element") {
    if (element instanceof HTMLImageElement) element.loading = "lazy";
    element.src = href;
    return () => undefined;
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void showable(source).then((address) => {
        if (address === undefined) onfail(href);
        else element.src = address;
      });
    },
    { rootMargin: NEAR },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
