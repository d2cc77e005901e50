type FeedPageFile = typeof import("./feed-page");

let loaded: FeedPageFile | undefined;

/** Loads what a feed is drawn with. Rejects if it can't be loaded; the next call tries again. */
export async function loadFeedPage(): Promise<FeedPageFile> {
  return (loaded ??= await import("./feed-page"));
}

/** What a feed is drawn with, if it has been loaded. Not reactive. */
export const loadedFeedPage = (): FeedPageFile | undefined => loaded;
