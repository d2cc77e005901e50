// What a page needs to search. The hub, which keeps the index up to date, uses only `update-index.ts`.
export { readTags } from "./read-tags";
export { countMatches, searchPage } from "./search";
