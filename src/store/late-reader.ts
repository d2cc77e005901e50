// A door of its own to what every page runs first: a file that is one itself would need help to be loaded later as well.
export { readerOf } from "./indexeddb-reader";
