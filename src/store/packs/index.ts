// What a page needs to search. The hub, which keeps the packs up to date, uses only `keep-packs.ts`.
export { readTags } from "./read-tags";
export { countMatches, searchPage } from "./search";
