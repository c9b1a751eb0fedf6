/** A number of the query of an address within bounds; anything else is left out. */
export function readNumber<Name extends string>(
  name: Name,
  search: Readonly<Record<string, unknown>>,
  { min, max }: { readonly min: number; readonly max: number },
): Readonly<Partial<Record<Name, number>>> {
  const value = search[name];
  const isUsable = typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max;
  // The type of a computed name is wider than it.
  return (isUsable ? { [name]: value } : {}) as Partial<Record<Name, number>>;
}
