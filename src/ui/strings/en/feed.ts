import { bytes, count, moment } from "../format";

/** The feed and its messages, as they are first shown. Times in ms. */
export const feed = {
  label: "Messages",
  loading: "Reading…",
  searching: (backTo: number, now: number) => `Searching, back to ${moment(backTo, now, "within")} so far`,
  end: "Nothing older is kept here",
  message: {
    unread: "Unread",
    starred: "Starred",
    select: (title: string) => `Select ${title}`,
    showAll: "Show all",
    showLess: "Show less",
    binary: (sizeBytes: number) => `${bytes(sizeBytes)} that are no text`,
    unseen: (n: number) => `${count(n, { one: "character", other: "characters" })}, none of which can be seen`,
  },
};
