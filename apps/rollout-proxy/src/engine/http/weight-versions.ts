import { asCount, asList, asObject } from './json-value';

/**
 * Version of a token of which the engine did not say it. `createGenerationControl` puts the version in its place that
 * was in force when the segment began; no such value leaves it.
 */
export const unknownVersion = -1;

export interface VersionSpan {
  readonly version: number;
  /** Of the answer's tokens, half open. */
  readonly start: number;
  readonly end: number;
}

/**
 * A version from an engine's label: a whole number, or a text that ends with one (`12`, `step-12`, `v12`). What nobody
 * has named yet (`default`, an empty text, nothing) is `unknownVersion`. `undefined`: a label that says nothing.
 */
export function parseVersionLabel(label: unknown): number | undefined {
  if (label === undefined || label === null || label === '' || label === 'default') return unknownVersion;
  if (typeof label === 'number') return asCount(label);
  if (typeof label !== 'string') return undefined;
  const digits = /(?:^|[^\d.])(\d{1,10})$/.exec(label)?.[1];
  return digits === undefined ? undefined : asCount(Number(digits));
}

/** `undefined` when a span is not one or the spans do not follow one another from 0. */
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
