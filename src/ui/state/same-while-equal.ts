/** Makes what a `$derived` reads stay the same object while its content does, so that counters alone change nothing. */
export function sameWhileEqual<Value>(read: () => Value): () => Value {
  let last: { text: string | undefined; value: Value } | undefined;
  return () => {
    const value = read();
    const text = JSON.stringify(value) as string | undefined;
    if (!last || last.text !== text) last = { text, value };
    return last.value;
  };
}
