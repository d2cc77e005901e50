/** Works on each item even if earlier ones failed; the first error is thrown at the end. */
export async function eachAlone<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const thrown: unknown[] = [];
  for (const item of items) await work(item).catch((problem: unknown) => thrown.push(problem));
  if (thrown.length > 0) throw thrown[0];
}
