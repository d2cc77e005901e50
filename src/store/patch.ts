/** Changes to a record's properties; `null` removes one. */
export type Patch<Fields> = { [Name in keyof Fields]?: Fields[Name] | null };

/** A copy of the record with the changes, without the properties that were removed. */
export function patched<Whole extends object>(record: Whole, patch: Patch<Partial<Whole>>): Whole {
  const entries = Object.entries({ ...record, ...patch }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as Whole;
}
