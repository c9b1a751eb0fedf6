/** The possible types of `T` as an object with named members. */
export type ObjectIn<T> = unknown extends T
  ? Readonly<Record<string, unknown>>
  : Exclude<Extract<T, object>, readonly unknown[]>;

/** The value if it is an object with named members: not null and not a list. */
export function asObject<T>(value: T): ObjectIn<T> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? // TypeScript does not narrow a conditional type.
      (value as ObjectIn<T>)
    : undefined;
}
