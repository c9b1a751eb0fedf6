/**
 * An event of an output parser. Adjacent pieces of one kind belong together; every started call has exactly one end.
 * Strings are never empty.
 */
export type OutputEvent =
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  /** `index` counts from 0; the id comes from the parser's id source. */
  | { readonly kind: 'call_started'; readonly index: number; readonly id: string; readonly name: string }
  /** JSON text exactly as the model sampled it. */
  | { readonly kind: 'call_arguments'; readonly index: number; readonly text: string }
  | { readonly kind: 'call_ended'; readonly index: number };

/** Parses the decoded text of one answer as it grows. Markers may be split between pieces. */
export interface OutputParser {
  push(text: string): readonly OutputEvent[];
  /** Ends the text and emits what was buffered; an incomplete call becomes text. */
  end(): readonly OutputEvent[];
}
