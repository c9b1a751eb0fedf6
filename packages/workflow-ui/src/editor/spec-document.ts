import type { Schemas } from '../api/client';

/** A text on the server with its revision. */
export interface StoredText {
  readonly text: string;
  readonly tag: string;
}

export type SaveResult =
  | { readonly kind: 'saved'; readonly tag: string }
  /** The text has errors, and was not stored. */
  | { readonly kind: 'refused'; readonly findings: readonly Schemas['Finding'][] }
  /** The text was changed since it was loaded. */
  | { readonly kind: 'changed' };

/** The document of the editor: the spec of a DAG, or the base configuration. */
export interface SpecDocument {
  /** The key of the draft in this browser. */
  readonly key: string;
  readonly load: (signal?: AbortSignal) => Promise<StoredText>;
  /** Stores the text, unless it was changed since the revision of the tag. */
  readonly save: (text: string, tag: string) => Promise<SaveResult>;
}
