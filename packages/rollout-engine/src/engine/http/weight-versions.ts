import { asObject } from '@weir/foundation';
import { asCount, asList } from './json-value';

/**
 * The version of a token that the engine did not report. `createGenerationControl` replaces it with the version that
 * was current when the segment started.
 */
export const unknownVersion = -1;

export interface VersionSpan {
  readonly version: number;
  /** Indexes of the answer's tokens, half open. */
  readonly start: number;
  readonly end: number;
}

/**
 * Parses an engine's label: an integer, or a string that ends with one (`12`, `step-12`, `v12`). An unset label
 * (`default`, an empty string, nothing) is `unknownVersion`; any other label is `undefined`.
 */
export function parseVersionLabel(label: unknown): number | undefined {
  if (label === undefined || label === null || label === '' || label === 'default') return unknownVersion;
  if (typeof label === 'number') return asCount(label);
  if (typeof label !== 'string') return undefined;
  const digits = /(?:^|[^\d.])(\d{1,10})$/.exec(label)?.[1];
  return digits === undefined ? undefined : asCount(Number(digits));
}

/** `undefined` unless the spans are well-formed and contiguous from 0. */
export function parseVersionSpans(value: unknown): readonly VersionSpan[] | undefined {
  const spans: VersionSpan[] = [];
  let at = 0;
  for (const item of asList(value) ?? []) {
    const span = asObject(item);
    const version = parseVersionLabel(span?.version);
    const end = asCount(span?.end);
    if (version === undefined || end === undefined || span?.start !== at || end < at) return undefined;
    spans.push({ version, start: at, end });
    at = end;
  }
  return spans.length === 0 ? undefined : spans;
}
