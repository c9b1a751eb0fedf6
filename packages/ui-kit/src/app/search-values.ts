// Anybody may have written the query of an address, so invalid values are left out.

type Search = Readonly<Record<string, unknown>>;

/** Reads a text parameter; numbers that the router has parsed become texts again. */
export function readText<Name extends string>(name: Name, search: Search): Readonly<Partial<Record<Name, string>>> {
  const value = search[name];
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  return withValue(name, text === '' ? undefined : text);
}

/** Reads the number of a page; the first one is not written. */
export function readPage({ page }: Search): { readonly page?: number } {
  return typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {};
}

/** Reads a value that must be in a list. */
export function readChoice<Name extends string, Value extends string>(
  name: Name,
  choices: readonly Value[],
  search: Search,
): Readonly<Partial<Record<Name, Value>>> {
  return withValue(
    name,
    choices.find((choice) => choice === search[name]),
  );
}

function withValue<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Readonly<Partial<Record<Name, Value>>> {
  // The type of a computed name is too wide.
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Value>>;
}
