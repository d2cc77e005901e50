import type { Priority } from "./message";

/** One condition of the filter language (DESIGN, section 6). `not` excludes. */
export type FilterTerm = { not: boolean } & (
  | { kind: "priority"; values: Priority[] }
  | { kind: "tags"; values: string[] }
  | { kind: "contains"; field: "title" | "message"; text: string }
  | { kind: "equals"; field: "title" | "message" | "id"; text: string }
  | { kind: "text"; text: string }
  | { kind: "is"; what: "unread" | "read" | "starred" | "done" | "snoozed" }
  | { kind: "has"; what: "attachment" | "actions" | "click" | "title" | "icon" }
  /** Unix seconds. */
  | { kind: "after" | "before"; time: number; written: string }
);

/** All conditions must hold. */
export interface Filter {
  terms: FilterTerm[];
}
