import { bytes, count, duration } from "../format";

/** Files that come with messages. Lengths of time in ms, sizes in bytes. */
export const attachment = {
  load: "Load image",
  play: "Play",
  show: "Show the text",
  hide: "Hide the text",
  from: (host: string) => `From ${host}`,
  on: (host: string) => `on ${host}`,
  expiresIn: (ms: number) => `gone from the server in ${duration(ms)}`,
  gone: "gone from the server",
  file: "File",
  size: bytes,
  failed: {
    image: "can't be shown: not there, or no image",
    audio: "can't be played: not there, or of a kind this browser does not know",
    video: "can't be played: not there, or of a kind this browser does not know",
  },
  tryAgain: "Try again",

  image: {
    enlarge: (name: string) => `Enlarge ${name}`,
    zoomIn: "Larger",
    zoomOut: "Smaller",
    fit: "Fit",
    zoom: (percent: number) => `${count(percent)} %`,
    open: "Open in a new tab",
    loading: "Loading…",
    view: "Image; arrow keys move it, + and − change its size",
  },

  text: {
    reading: "Reading…",
    first: (shown: number, total: number | undefined) =>
      total === undefined ? `The first ${bytes(shown)}` : `The first ${bytes(shown)} of ${bytes(total)}`,
    empty: "The file is empty",
    none: "This is no text",
    gone: "The server has it no more",
    failed: "It can't be read here: no answer, or its host does not let this page read it",
  },
};
