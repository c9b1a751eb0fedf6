type Compact<T> = {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/** The object without the properties that are undefined. */
export function compact<T extends object>(value: T): Compact<T> {
  // The entries of a T without its undefined ones are exactly a Compact<T>, which fromEntries cannot express.
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Compact<T>;
}
