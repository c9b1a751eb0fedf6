/** The problem ends a sentence that names the secret, and never shows anything of its value. */
export type ReadSecret = { readonly value: string } | { readonly problem: string };

type SecretValues = Readonly<Record<string, unknown>>;

/** The field that is named, or the only one. A value that is no text is its JSON. */
export function chooseField(fields: SecretValues, name: string | undefined): ReadSecret {
  const names = Object.keys(fields);
  const [first, ...others] = names;
  if (name === undefined && first !== undefined && others.length > 0) {
    return { problem: 'it has several fields, of which options.field has to name one' };
  }
  const chosen = name ?? first;
  if (chosen === undefined || !Object.hasOwn(fields, chosen)) return { problem: 'it has no such field' };
  const value = fields[chosen];
  return { value: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** The whole text; with the name of a field, that field of the JSON object that the text is. */
export function chooseFromText(text: string, field: string | undefined): ReadSecret {
  if (field === undefined) return { value: text };
  const fields = parseFields(text);
  return fields === undefined
    ? { problem: 'it is no JSON object, of which options.field could name a field' }
    : chooseField(fields, field);
}

/** The value itself when it is an object. */
export function fieldsOf(value: unknown): SecretValues | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SecretValues) : undefined;
}

function parseFields(text: string): SecretValues | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}
