export { readTags } from "./read-tags";
export { countMatches, searchPage } from "./search";
export { updateIndex } from "./update-index";
