import { bytes, count, duration, inOneUnit } from "../format";

/** Files that come with messages. Lengths of time in ms, sizes in bytes. */
export const attachment = {
  load: "Load image",
  play: "Play",
  show: "Show the text",
  hide: "Hide the text",
  from: (host: string) => `From ${host}`,
  on: (host: string) => `on ${host}`,
  expiresIn: (ms: number) => {
    const left = duration(inOneUnit(ms));
    return `on the server for ${/day/.test(left) ? left.replace(" ", " more ") : `another ${left}`}`;
  },
  gone: "no longer on the server",
  file: "File",
  size: bytes,
  failed: {
    image: "can't be shown: it is missing or not an image",
    audio: "can't be played: it is missing, or this browser doesn't know its format",
    video: "can't be played: it is missing, or this browser doesn't know its format",
  },
  tryAgain: "Try again",
  kept: "kept on this device",
  notKept: {
    gone: "the server had deleted it before it could be kept",
    refused: "not kept: the server asked for a sign-in",
    "too-large": "not kept: larger than the limit for files",
    "no-room": "not kept: the space for files was used up",
    "disk-full": "not kept: this device had no space left",
    deleted: "not kept: you deleted the kept file",
    failed: "not kept: no answer, or an answer that was not the file",
  },
  save: "Save",

  image: {
    enlarge: (name: string) => `Enlarge ${name}`,
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    fit: "Fit",
    zoom: (percent: number) => `${count(percent)} %`,
    open: "Open in a new tab",
    previous: "Previous image",
    next: "Next image",
    save: "Save image",
    share: "Share image",
    loading: "Loading…",
    view: "Image; arrow keys move it, + and − zoom",
  },

  text: {
    reading: "Reading…",
    first: (shown: number, total: number | undefined) =>
      total === undefined ? `The first ${bytes(shown)}` : `The first ${bytes(shown)} of ${bytes(total)}`,
    empty: "The file is empty",
    none: "This is not text",
    gone: "No longer on the server",
    failed: "It can't be read here: there was no answer, or its host doesn't let this page read it",
  },
};
