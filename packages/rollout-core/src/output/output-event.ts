/**
 * What an output parser makes of the model's text, piece by piece. Pieces of one kind are to be joined; of every
 * started call there comes exactly one end. Texts are never empty.
 */
export type OutputEvent =
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  /** `index` counts from 0; the id is made by the parser's id source. */
  | { readonly kind: 'call_started'; readonly index: number; readonly id: string; readonly name: string }
  /** JSON text exactly as the model wrote it. */
  | { readonly kind: 'call_arguments'; readonly index: number; readonly text: string }
  | { readonly kind: 'call_ended'; readonly index: number };

/** Reads the decoded text of one answer as it grows. Markers may be cut anywhere between two pieces. */
export interface OutputParser {
  push(text: string): readonly OutputEvent[];
  /** No more text comes. What was held back is told now; a call that was cut off becomes text again unless it is whole. */
  end(): readonly OutputEvent[];
}
