import { FILTER_FIELDS } from "../../../contract";
import { folded } from "../../state/folded";

/** The name of a field. */
export type FieldName = keyof typeof FILTER_FIELDS;

/** Edit distance with transpositions. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const own = [row];
    for (let at = 1; at <= b.length; at++) {
      const same = a[row - 1] === b[at - 1];
      let least = Math.min((above[at] ?? 0) + 1, (own[at - 1] ?? 0) + 1, (above[at - 1] ?? 0) + (same ? 0 : 1));
      if (row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1])
        least = Math.min(least, (before[at - 2] ?? 0) + 1);
      own.push(least);
    }
    before = above;
    above = own;
  }
  return above[b.length] ?? 0;
}

/** The field probably meant by a name; undefined if none is near. */
export function nearestField(written: string): FieldName | undefined {
  const name = folded(written);
  const names = Object.keys(FILTER_FIELDS) as FieldName[];
  // A beginning of at least two letters counts as the whole.
  const begun = names.find((field) => name.length > 1 && field.startsWith(name));
  if (begun) return begun;
  // A two-letter word is one letter away from too many others.
  const ranked = names.map((field) => ({ field, far: distance(name, field) })).sort((a, b) => a.far - b.far);
  const [best] = ranked;
  const most = name.length < 3 ? 0 : name.length < 5 ? 1 : 2;
  return best && best.far <= most ? best.field : undefined;
}
