/** Some properties of a T; undefined is the same as missing. */
export type Part<T> = { readonly [K in keyof T]?: T[K] | undefined };

type Compact<T> = {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/** The object without the properties that are undefined. */
export function compact<T extends object>(value: T): Compact<T> {
  // What is gathered from a T, its undefined properties left out, is exactly a Compact<T>.
  return gather<T>(value) as unknown as Compact<T>;
}

/** All that is defined in the parts; a later part wins. One loop, because every step of a file comes through here. */
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
