/** The content of a YAML map; undefined values are omitted. */
export type Printed = Readonly<Record<string, unknown>>;
