/** The components that the first rows are drawn like. The build reads their paths here (`src/build/style-scopes.ts`). */
interface Drawn {
  App: typeof import("../App.svelte");
  FeedPage: typeof import("../shell/FeedPage.svelte");
  FeedHeader: typeof import("../shell/FeedHeader.svelte");
  Feed: typeof import("../feed/Feed.svelte");
  VirtualList: typeof import("../feed/VirtualList.svelte");
  DayLine: typeof import("../feed/DayLine.svelte");
  MessageRow: typeof import("../message/MessageRow.svelte");
  RowMark: typeof import("../message/RowMark.svelte");
  PriorityMark: typeof import("../parts/PriorityMark.svelte");
  Time: typeof import("../message/Time.svelte");
  Body: typeof import("../message/Body.svelte");
  PlainBody: typeof import("../message/PlainBody.svelte");
  TextButton: typeof import("../parts/TextButton.svelte");
  TopicSquare: typeof import("../parts/TopicSquare.svelte");
  Icon: typeof import("../parts/Icon.svelte");
}

/** Their style scopes, so that rows drawn without the components have the same styles. */
export declare const scopes: Readonly<Record<keyof Drawn, string>>;
