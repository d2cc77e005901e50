/** The list with one of its items before another, or last. */
export function placedBefore<Item>(list: readonly Item[], item: Item, before: Item | undefined): Item[] {
  const others = list.filter((other) => other !== item);
  const at = before === undefined ? -1 : others.indexOf(before);
  return others.toSpliced(at < 0 ? others.length : at, 0, item);
}

/** The list with an item one place further; undefined if it is at that end. */
export function stepped<Item extends object>(list: readonly Item[], at: number, by: -1 | 1): Item[] | undefined {
  const [item, other] = [list[at], list[at + by]];
  return item && other && list.with(at, other).with(at + by, item);
}
