// What a page needs to search; the hub, which keeps the packs, takes no more than `keep-packs.ts`.
export { readTags } from "./read-tags";
export { countMatches, searchPage } from "./search";
