import { bytes, count, duration, moment, momentWithTime } from "../format";

/** The feed and its messages, as they are first shown. Times in ms. */
export const feed = {
  label: "Messages",
  loading: "Loading…",
  searching: (backTo: number, now: number) => `Searching, back to ${moment(backTo, now, "within")} so far`,
  end: "Nothing older is stored",
  message: {
    unread: "Unread",
    starred: "Starred",
    /** Of a scheduled message: `left` until its delivery. */
    due: (left: number, at: number, now: number) => `in ${duration(left)} · ${momentWithTime(at, now, "within")}`,
    select: (title: string) => `Select ${title}`,
    showAll: "Show all",
    showLess: "Show less",
    binary: (sizeBytes: number) => `${bytes(sizeBytes)} of binary data`,
    unseen: (n: number) => `${count(n, { one: "character", other: "characters" })}, none of them visible`,
  },
};
