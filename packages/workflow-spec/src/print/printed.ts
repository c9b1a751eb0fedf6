/** What a YAML map is made from; keys whose value is undefined are left out. */
export type Printed = Readonly<Record<string, unknown>>;
