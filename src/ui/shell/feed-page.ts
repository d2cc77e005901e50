// What a feed is drawn with: a file of its own, as somebody who has subscribed to nothing has none.
export { feedCacheOf } from "../feed/feed-cache.svelte";
export { default } from "./FeedPage.svelte";
