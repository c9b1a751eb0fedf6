/** The kind of a spec. */
export type SpecKind = 'dag' | 'base';
