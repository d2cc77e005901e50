/** Texts by name, in sections, as a file of `src/locales` holds them: i18next's JSON format, version 4. */
export interface TextTree {
  readonly [name: string]: string | TextTree;
}

/** Writes the value of a placeholder in the format it names: `{{size, bytes}}`. */
export type Formats = Readonly<Record<string, (value: never) => string>>;

type Values = Readonly<Record<string, unknown>>;

const PLACEHOLDER = /\{\{(\w+)(?:, (\w+))?\}\}/g;

/** The ending of a name that has a text for each class of numbers. */
const FORM = /_(?:zero|one|two|few|many|other)$/;

function fill(text: string, values: Values, formats: Formats): string {
  return text.replace(PLACEHOLDER, (_, name: string, format = "") => {
    const write = formats[format] as ((value: unknown) => string) | undefined;
    return (write ?? String)(values[name]);
  });
}

/**
 * The texts as the page uses them: a string, or, if values belong in it, a function that takes them by name. What a
 * language lacks is English.
 *
 * @param own texts of the language; whatever English doesn't have is left out
 */
export function textsOf(english: TextTree, own: TextTree, language: string, formats: Formats): object {
  const texts: Record<string, unknown> = {};
  for (const [key, text] of Object.entries(english)) {
    const mine = own[key];
    if (typeof text !== "string") {
      texts[key] = textsOf(text, typeof mine === "object" ? mine : {}, language, formats);
      continue;
    }
    const name = key.replace(FORM, "");
    const isPlural = name !== key;
    if (!isPlural && text.search(PLACEHOLDER) < 0) texts[key] = typeof mine === "string" ? mine : text;
    else if (typeof own[isPlural ? `${name}_other` : key] === "string")
      texts[name] ??= filled(own, name, language, formats);
    else texts[name] ??= filled(english, name, "en", formats);
  }
  return texts;
}

/** A text that takes values; `count` chooses among its forms, if there are several. */
function filled(tree: TextTree, name: string, language: string, formats: Formats): (values: Values) => string {
  let rules: Intl.PluralRules | undefined;
  return (values) => {
    const other = tree[`${name}_other`];
    const form = other === undefined ? "" : (rules ??= new Intl.PluralRules(language)).select(Number(values.count));
    const text = form === "" ? tree[name] : (tree[`${name}_${form}`] ?? other);
    return typeof text === "string" ? fill(text, values, formats) : "";
  };
}
