// Re-exports the reader from a file of its own: if code that every page runs first were itself loaded late, the bundler
// would add helper code.
export { readerOf } from "./indexeddb-reader";
