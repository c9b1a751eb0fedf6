/** All properties of T are optional; undefined is the same as missing. */
export type Part<T> = { readonly [K in keyof T]?: T[K] | undefined };

type Compact<T> = {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

export function compact<T extends object>(value: T): Compact<T> {
  // The result has exactly the defined properties of T.
  return gather<T>(value) as unknown as Compact<T>;
}

/** Merges the defined properties; later parts win. It is a plain loop, because every step of a file passes through here. */
export function gather<T extends object>(...parts: readonly Part<T>[]): Partial<T> {
  const gathered: Partial<T> = {};
  for (const part of parts) {
    for (const key of Object.keys(part) as (keyof T)[]) {
      const value = part[key];
      if (value !== undefined) gathered[key] = value;
    }
  }
  return gathered;
}
