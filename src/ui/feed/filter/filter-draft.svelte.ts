import { formatFilter, parseFilter, type Filter, type FilterError, type FilterTerm } from "../../../contract";
import type { Pane } from "../../state/navigation/pane.svelte";

/** A fault in the text of the field; positions count from its start. */
export interface DraftFault extends FilterError {
  word: string;
  /** Name of the filter field before it, if any. */
  field?: string | undefined;
}

const isText = (term: FilterTerm) => term.kind === "text";

/** Whether only a field name was typed so far. Its first letters were searched for as text and match nothing. */
const isNameAlone = ({ reason }: FilterError) => reason === "empty-value";

/** The content of a filter box: conditions as chips, and the text that is being typed. */
export class FilterDraft {
  text = $state("");
  fault = $state.raw<DraftFault>();
  /** The conditions that the text expresses; the others are chips. */
  #drafted = $state.raw<readonly FilterTerm[]>([]);
  /** The filter this box last set; any other came from elsewhere. */
  #mine: Filter | undefined;

  constructor(private readonly pane: Pick<Pane, "filter" | "setFilter">) {}

  chips: readonly FilterTerm[] = $derived.by(() =>
    this.pane.filter.terms.filter((term) => !this.#drafted.includes(term)),
  );

  /** Takes over a filter from elsewhere (a link, Back, a pressed tag); its free text goes into the field. */
  adopt(filter: Filter): void {
    if (filter === this.#mine) return;
    this.#drafted = filter.terms.filter(isText);
    this.text = formatFilter({ terms: this.#drafted });
    this.fault = undefined;
  }

  /** Applies the text: complete conditions become chips, free text stays, as does the last word unless `isComplete`. */
  apply(isComplete: boolean): void {
    const { head, tail } = isComplete ? { head: this.text, tail: "" } : splitDraft(this.text);
    const finished = parseFilter(head);
    const begun = parseFilter(tail);
    this.fault = undefined;
    // A word being typed can be wrong only once it is complete, and a time may have several words.
    if (!finished.ok && !isComplete && finished.error.reason === "bad-date") return;
    if (!finished.ok) return this.#find(finished.error);
    if (!begun.ok && !isNameAlone(begun.error)) return;
    const before = this.chips;
    const chipped = finished.value.terms.filter((term) => !isText(term));
    const texts = finished.value.terms.filter(isText);
    this.#drafted = begun.ok ? [...texts, ...begun.value.terms] : texts;
    if (chipped.length > 0) this.text = [formatFilter({ terms: texts }), tail].filter(Boolean).join(" ");
    const all = [...before, ...chipped, ...this.#drafted];
    // The same text is the same search, whichever part of it is a chip.
    if (formatFilter({ terms: all }) === formatFilter(this.pane.filter))
      this.#drafted = this.pane.filter.terms.slice(-this.#drafted.length || Infinity);
    else this.#set(all);
  }

  /** Turns a chip back into text. */
  edit(term: FilterTerm): void {
    const others = this.#without(term);
    this.text = formatFilter({ terms: [...this.#drafted, term] });
    this.#drafted = [...this.#drafted, term];
    this.#set([...others, term]);
  }

  remove(term: FilterTerm): void {
    this.#set(this.#without(term));
  }

  clear(): void {
    this.text = "";
    this.#drafted = [];
    this.fault = undefined;
    this.#set([]);
  }

  #without(term: FilterTerm): FilterTerm[] {
    return this.pane.filter.terms.filter((other) => other !== term);
  }

  #set(terms: readonly FilterTerm[]): void {
    this.#mine = { terms };
    this.pane.setFilter(this.#mine);
  }

  #find(error: FilterError): void {
    const { at, length } = error;
    const term = splitDraft(this.text.slice(0, at)).head.length;
    // If something is missing, point at the text before the place where it is missing.
    const begin = length > 0 && error.reason !== "empty-value" ? at : term;
    const word = this.text.slice(begin, at + length);
    const [, field] = /^-?([a-z]+)[:=<>]/i.exec(this.text.slice(term)) ?? [];
    this.fault = { ...error, word, field: field?.toLowerCase() };
  }
}

/** A filter being typed, split into its complete words and the word being typed. A space in quotes ends no word. */
export function splitDraft(draft: string): { head: string; tail: string } {
  let isQuoted = false;
  let end = 0;
  for (let at = 0; at < draft.length; at++) {
    const character = draft[at];
    if (character === "\\" && isQuoted) at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /\s/.test(character ?? "")) end = at + 1;
  }
  return { head: draft.slice(0, end), tail: draft.slice(end) };
}
