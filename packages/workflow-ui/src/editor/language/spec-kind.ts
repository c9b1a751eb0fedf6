/** What a text is a spec of. */
export type SpecKind = 'dag' | 'base';
