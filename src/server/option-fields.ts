import { DAY_S, guards, isJsonObject, parseDuration } from "../protocol";

/** Reads one option: its value, or the default and a problem as a sentence. `input` is the type that may be written. */
export interface Field<Out, In> {
  read(value: unknown, path: string, problems: string[]): Out;
  readonly input?: In;
}

type Fields = Record<string, Field<unknown, unknown>>;
export type Out<F> = F extends Field<infer O, unknown> ? O : never;
/** What may be written for a field: an absent option takes its default. */
export type In<F> = F extends Field<unknown, infer I> ? I : never;
type ObjectOut<F extends Fields> = { [K in keyof F]: Out<F[K]> };
type ObjectIn<F extends Fields> = { [K in keyof F]?: In<F[K]> };

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** A field that `of` reads, with undefined for a wrong value; absent = the default, unless it is required. */
function given<T, D, I = T>(
  expected: string,
  of: (value: unknown) => T | undefined,
  fallback: D,
  isRequired = false,
): Field<T | D, I> {
  return {
    read(value, path, problems) {
      if (value === undefined && !isRequired) return fallback;
      const read = of(value);
      if (read !== undefined) return read;
      problems.push(value === undefined ? `${path} is missing` : `${path}: expected ${expected}, found ${show(value)}`);
      return fallback;
    },
  };
}

export function text<D extends string | undefined>(fallback: D): Field<string | D, string> {
  return given("text", (value) => (guards.text(value) && value !== "" ? value : undefined), fallback);
}

export function flag(fallback: boolean): Field<boolean, boolean> {
  return given("true or false", (value) => (guards.flag(value) ? value : undefined), fallback);
}

/** A whole number in a range. */
export function count<D extends number | undefined>(
  fallback: D,
  least = 0,
  most = Number.MAX_SAFE_INTEGER,
): Field<number | D, number> {
  const of = (value: unknown) =>
    guards.number(value) && Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined;
  return given(`a whole number from ${least} to ${most}`, of, fallback);
}

export function oneOf<const T extends string>(values: readonly T[], fallback: T): Field<T, T> {
  const of = (value: unknown) => values.find((known) => known === value);
  return given(`one of ${values.map((value) => `"${value}"`).join(", ")}`, of, fallback);
}

/** A required text of a certain form. */
export function pattern(expected: string, form: RegExp): Field<string, string> {
  return given(expected, (value) => (guards.text(value) && form.test(value) ? value : undefined), "", true);
}

/** A duration: a number of seconds, or text such as `1h30m`; read as seconds. `leastS` keeps jobs from running all the time. */
export function duration(fallbackS: number, leastS = 0): Field<number, number | string> {
  const least = leastS > 0 ? ` of at least ${leastS} s` : "";
  const of = (value: unknown) => {
    const days = guards.text(value) ? /^(\d+(?:\.\d+)?)d$/.exec(value) : null;
    const seconds = days ? Number(days[1]) * DAY_S : guards.text(value) ? parseDuration(value) : value;
    return guards.number(seconds) && seconds >= leastS ? seconds : undefined;
  };
  return given(`a duration${least} such as "45s", "1h30m", "3d" or a number of seconds`, of, fallbackS);
}

export function list<O, I>(field: Field<O, I>): Field<O[], readonly I[]> {
  return {
    read(value, path, problems) {
      if (value === undefined) return [];
      if (Array.isArray(value)) return value.map((entry, at) => field.read(entry, `${path}[${at}]`, problems));
      problems.push(`${path}: expected a list, found ${show(value)}`);
      return [];
    },
  };
}

/** An object whose keys are all known: a misspelt option must not pass for its default. */
export function object<F extends Fields>(fields: F): Field<ObjectOut<F>, ObjectIn<F>> {
  return {
    read(value, path, problems) {
      const given = isJsonObject(value) ? value : {};
      if (value !== undefined && given !== value)
        problems.push(`${path || "options"}: expected an object, found ${show(value)}`);
      const at = (key: string) => (path === "" ? key : `${path}.${key}`);
      for (const key of Object.keys(given)) {
        if (!(key in fields))
          problems.push(
            `${at(key)}: there is no such option in this version; known here: ${Object.keys(fields).join(", ")}`,
          );
      }
      const read = Object.entries(fields).map(([key, field]) => [key, field.read(given[key], at(key), problems)]);
      return Object.fromEntries(read) as ObjectOut<F>;
    },
  };
}

/** Absent or `false` = off. */
export function optional<O, I>(field: Field<O, I>): Field<O | undefined, I | false> {
  return {
    read: (value, path, problems) =>
      value === undefined || value === false ? undefined : field.read(value, path, problems),
  };
}
