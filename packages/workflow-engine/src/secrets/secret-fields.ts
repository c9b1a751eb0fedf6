import type { ReadSecret } from './secret-source';

/** The field that is named, or the only one. A value that is no text is its JSON. */
export function chooseField(fields: Readonly<Record<string, unknown>>, name: string | undefined): ReadSecret {
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
