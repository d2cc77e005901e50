// Re-exports the reader from a file of its own: if code that every page runs first were itself loaded lazily, the
// bundler would add helper code.
export { readerOf } from "./indexeddb-reader";
