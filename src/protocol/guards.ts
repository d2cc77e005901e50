// Guards for values from outside. Shapes of events and records are built from them, and types follow.

/** Tells whether a value is of a type. */
export type Guard<Value> = (value: unknown) => value is Value;
/** The type that a guard finds. */
export type Checked<Test> = Test extends Guard<infer Value> ? Value : never;
type Flat<Type> = { [Field in keyof Type]: Type[Field] };

/** The type of records with such fields; those that may be undefined may be absent. */
export type RecordOf<Shape> = Flat<
  { [Field in keyof Shape as undefined extends Checked<Shape[Field]> ? never : Field]: Checked<Shape[Field]> } & {
    [Field in keyof Shape as undefined extends Checked<Shape[Field]> ? Field : never]?: Exclude<
      Checked<Shape[Field]>,
      undefined
    >;
  }
>;

/** Turns a test into a guard, for values whose details are checked by a decoder or by whoever gets them. */
export const as =
  <Value>(test: (value: unknown) => boolean) =>
  (value: unknown): value is Value =>
    test(value);

/** Whether a value is a JSON object; its fields have yet to be checked. */
export const isJsonObject = as<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

export const text = as<string>((value) => typeof value === "string");
export const number = as<number>(Number.isFinite);
/** A whole number from 0. */
export const count = as<number>((value) => Number.isSafeInteger(value) && (value as number) >= 0);
/** A time; Infinity = never, or for ever. */
export const timeOrNever = as<number>((value) => number(value) || value === Infinity);
export const flag = as<boolean>((value) => typeof value === "boolean");
export const only = <const Value>(...values: readonly Value[]) => as<Value>((value) => values.includes(value as Value));
export const maybe = <Value>(test: Guard<Value>) =>
  as<Value | undefined>((value) => value === undefined || test(value));
// Unlike `every`, this also visits holes.
export const list = <Value>(test: Guard<Value>) =>
  as<Value[]>((value) => Array.isArray(value) && value.findIndex((item) => !test(item)) < 0);
export const stringMap = as<Record<string, string>>((value) => isJsonObject(value) && Object.values(value).every(text));

/** An object with these fields, and perhaps others. */
export const fields = <Shape extends Readonly<Record<string, Guard<unknown>>>>(shape: Shape) => {
  const tests = Object.entries(shape);
  return as<RecordOf<Shape>>((value) => isJsonObject(value) && tests.every(([field, test]) => test(value[field])));
};
