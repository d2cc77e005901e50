import type { Filter, StoredMessage } from "../../contract";

/** A time during which the user was away. Device clock, ms. */
export interface Absence {
  fromMs: number;
  toMs: number;
}

/** The messages of one urgency. */
export interface SummaryGroup {
  name: "urgent" | "high" | "others";
  rows: StoredMessage[];
  /** How many messages, repeats in a row counted as one. */
  count: number;
  /** The same per topic, the most first. */
  topics: { subId: number; count: number }[];
}

/** What came during an absence and is still unread. */
export interface AbsenceSummary {
  count: number;
  /** Whether it covers only the newest messages, because there were too many to read. */
  isPart: boolean;
  /** The most urgent first, without empty ones. */
  groups: SummaryGroup[];
}

export interface AbsenceShown {
  absence: Absence;
  summary: AbsenceSummary;
  /** Call when the user dismissed the summary. */
  putAway: () => void;
}

/** A line of the summary that was opened as a feed. */
export interface AbsenceLine {
  title: string;
  filter: Filter;
  group: SummaryGroup;
}
