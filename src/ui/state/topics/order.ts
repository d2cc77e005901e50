/** The list with one item moved before another, or to the end. */
export function placedBefore<Item>(list: readonly Item[], item: Item, before: Item | undefined): Item[] {
  const others = list.filter((other) => other !== item);
  const at = before === undefined ? -1 : others.indexOf(before);
  return others.toSpliced(at < 0 ? others.length : at, 0, item);
}

/** The list with an item moved one place; undefined if it is at that end already. */
export function stepped<Item extends object>(list: readonly Item[], at: number, by: -1 | 1): Item[] | undefined {
  const [item, other] = [list[at], list[at + by]];
  return item && other && list.with(at, other).with(at + by, item);
}
