import type { Filter, StoredMessage } from "../../contract";

/** A time in which the user was away. Device clock, ms. */
export interface Absence {
  fromMs: number;
  toMs: number;
}

/** The messages of one level of urgency. */
export interface SummaryGroup {
  rows: StoredMessage[];
  /** How many messages, repeats in a row counted as one. */
  count: number;
  /** The same for each topic, the most first. */
  topics: { subId: number; count: number }[];
}

/** What came during an absence and is still unread. */
export interface AbsenceSummary {
  count: number;
  /** It covers only the newest messages, because more came than were read. */
  isPart: boolean;
  urgent: SummaryGroup;
  high: SummaryGroup;
  others: SummaryGroup;
}

/** What the page shows of an absence. */
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
