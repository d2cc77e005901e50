/** Works on each item, whatever becomes of those before it. What the first that failed threw is thrown at the end. */
export async function eachAlone<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const thrown: unknown[] = [];
  for (const item of items) await work(item).catch((problem: unknown) => thrown.push(problem));
  if (thrown.length > 0) throw thrown[0];
}
