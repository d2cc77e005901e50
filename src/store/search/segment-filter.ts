import { foldText, MASK, maskText, resolveWhen, type RowFilter, type RowTerm } from "../../contract";
import { unreachable } from "../../protocol";
import type { SegmentRecord, SegmentTextRecord } from "../schema";
import { gramsOf, mayHold } from "./signature";
import { FACT, priorityIn } from "./make-segments";

/** What a segment says about a message: it doesn't match, only the message itself can tell, or it matches. */
export const NO = 0;
export const MAYBE = 1;
export const YES = 2;

/** One verdict for each slot of a segment. */
export type Verdicts = Uint8Array<ArrayBuffer>;

interface Condition {
  not: boolean;
  byColumns(segment: SegmentRecord, signature: Uint8Array): Verdicts | undefined;
  byText?(segment: SegmentRecord, text: SegmentTextRecord): Verdicts | undefined;
  /** Nothing matches if the signature rules these out. */
  needs?: readonly number[] | undefined;
}

/** A filter prepared for many segments. */
export interface SegmentFilter {
  /** False if a segment's signature shows that nothing in it matches. */
  mayPass(signature: Uint8Array): boolean;
  /** Lowers verdicts by what columns and signature say. Returns the conditions that need the segment's text. */
  byColumns(segment: SegmentRecord, signature: Uint8Array, verdicts: Verdicts): readonly Condition[];
  /** Lowers verdicts by the remaining conditions. */
  byText(segment: SegmentRecord, text: SegmentTextRecord, left: readonly Condition[], verdicts: Verdicts): void;
}

/** Prepares a filter. @param nowMs device clock, from which its dates are counted */
export function compileSegmentFilter(filter: RowFilter, nowMs: number): SegmentFilter {
  const conditions = filter.terms.map((term) => conditionOf(term, nowMs));
  // The cheapest conditions come first, because they often make the others unnecessary.
  conditions.sort((a, b) => Number(a.byText !== undefined) - Number(b.byText !== undefined));
  const needed = [...new Set(conditions.flatMap(({ needs = [] }) => needs))];
  return {
    mayPass: (signature) => mayHold(signature, needed),
    byColumns(segment, signature, verdicts) {
      const left: Condition[] = [];
      for (const condition of conditions) {
        const own = condition.byColumns(segment, signature);
        if (own) lower(verdicts, own, condition.not);
        else left.push(condition);
      }
      return left;
    },
    byText(segment, text, left, verdicts) {
      for (const condition of left) {
        const own = condition.byText?.(segment, text);
        if (own) lower(verdicts, own, condition.not);
      }
    },
  };
}

function lower(verdicts: Verdicts, by: Verdicts, not: boolean): void {
  for (let slot = 0; slot < verdicts.length; slot++) {
    const own = by[slot] ?? NO;
    verdicts[slot] = Math.min(verdicts[slot] ?? NO, not ? YES - own : own);
  }
}

function conditionOf(term: RowTerm, nowMs: number): Condition {
  const { not } = term;
  const bySlot = (verdict: (segment: SegmentRecord, slot: number) => number): Condition => ({
    not,
    byColumns: (segment) => Uint8Array.from(segment.times, (_, slot) => verdict(segment, slot)),
  });
  const byFacts = (verdict: (facts: number) => number) => bySlot(({ facts }, slot) => verdict(facts[slot] ?? 0));
  const has = (bit: number) => byFacts((facts) => (facts & bit ? YES : NO));
  switch (term.kind) {
    case "priority":
      return byFacts((facts) => (term.values.includes(priorityIn(facts)) ? YES : NO));
    case "tags": {
      const wanted = term.values.map((tag) => tag.toLowerCase());
      // Tags are in the text as well, so signatures can rule out a segment without a rare tag.
      const needs = not ? [] : gramsOf(...term.values.map(foldText));
      return { not, needs, byColumns: (segment) => withAllTags(segment, wanted) };
    }
    case "has":
      return has(FACT[term.what]);
    case "is":
      if (term.what !== "unread") return has(FACT[term.what]);
      return byFacts((facts) => (facts & (FACT.read | FACT.done | FACT.snoozed) ? NO : YES));
    case "after":
    case "before": {
      const isAfter = term.kind === "after";
      const time = resolveWhen(term.written, { nowMs }) ?? (isAfter ? -Infinity : Infinity);
      return bySlot(({ times }, slot) => ((times[slot] ?? 0) >= time === isAfter ? YES : NO));
    }
    case "text":
      return textCondition(not, term.text, "all");
    case "contains":
      return textCondition(not, term.text, term.field);
    case "equals":
    case "like": {
      if (term.field === "id") {
        const wanted = term.text.toLowerCase();
        return bySlot((segment, slot) => (idIn(segment, slot).toLowerCase() === wanted ? YES : NO));
      }
      // Only the message itself can tell whether this is all of the text, with the same accents.
      const fixed = term.kind === "like" ? longestPiece(term.text) : term.text;
      const { needs, byColumns, byText } = textCondition(not, fixed, term.field);
      const atMost = (verdicts: Verdicts | undefined) => verdicts?.map((verdict) => Math.min(verdict, MAYBE));
      return {
        ...{ not, needs },
        byColumns: (segment, signature) => atMost(byColumns(segment, signature)),
        byText: (segment, text) => atMost(byText?.(segment, text)),
      };
    }
    default:
      return unreachable(term);
  }
}

/** The longest piece of a text that occurs in all texts like it. */
function longestPiece(text: string): string {
  return maskText(text)
    .split(MASK)
    .reduce((a, b) => (b.length > a.length ? b : a));
}

/** The id of a slot's message. */
export function idIn({ ids, idEnds }: SegmentRecord, slot: number): string {
  return ids.slice(slot === 0 ? 0 : idEnds[slot - 1], idEnds[slot]);
}

function withAllTags({ times, tags, tagSlots }: SegmentRecord, wanted: readonly string[]): Verdicts {
  const found = new Uint8Array(times.length);
  const distinct = new Set(wanted);
  let at = 0;
  for (const tag of tags) {
    const end = at + 1 + (tagSlots[at] ?? 0);
    if (distinct.has(tag)) {
      for (let slot = at + 1; slot < end; slot++) found[tagSlots[slot] ?? 0] = (found[tagSlots[slot] ?? 0] ?? 0) + 1;
    }
    at = end;
  }
  return found.map((count) => (count === distinct.size ? YES : NO));
}

type Part = "all" | "title" | "message";

function textCondition(not: boolean, text: string, part: Part): Condition {
  const wanted = foldText(text);
  // If only accents were entered, nothing is left to look for, and every text contains that.
  if (wanted === "") return { not, byColumns: ({ times }) => new Uint8Array(times.length).fill(YES) };
  const grams = gramsOf(wanted);
  return {
    not,
    needs: not ? [] : grams,
    byColumns: ({ times }, signature) => (mayHold(signature, grams) ? undefined : new Uint8Array(times.length)),
    byText: (_, found) => whereIn(found, wanted, part),
  };
}

/** The slots in whose part of the text something occurs. */
function whereIn({ text, ends }: SegmentTextRecord, wanted: string, part: Part): Verdicts {
  const slots = ends.length / 3;
  const found = new Uint8Array(slots);
  let slot = 0;
  for (let at = text.indexOf(wanted); at >= 0;) {
    while (at >= (ends[slot * 3 + 2] ?? Infinity)) slot++;
    const [from, to] = boundsOf(ends, slot, part);
    if (at < from) {
      at = text.indexOf(wanted, from);
      continue;
    }
    // Anything further in this slot is after the part too.
    if (at + wanted.length <= to) found[slot] = YES;
    at = text.indexOf(wanted, ends[slot * 3 + 2]);
  }
  return found;
}

/** Where a part of a slot's text begins and ends. */
function boundsOf(ends: Uint32Array, slot: number, part: Part): [from: number, to: number] {
  const start = slot === 0 ? 0 : (ends[slot * 3 - 1] ?? 0);
  const titleEnd = ends[slot * 3] ?? 0;
  switch (part) {
    case "all":
      return [start, ends[slot * 3 + 2] ?? 0];
    case "title":
      return [start, titleEnd];
    case "message":
      return [titleEnd + 1, ends[slot * 3 + 1] ?? 0];
  }
}
