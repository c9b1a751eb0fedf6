import type { FindingCode } from '../source/findings/catalogue/finding-catalogue';
import { report, type YamlValue } from '../source/yaml/yaml-value';

export interface EntryLimit {
  readonly limit: number;
  readonly code: FindingCode;
  /** The name for messages: `labels`. */
  readonly what: string;
}

/** Returns the first entries; reports an excess once, before any entry is read. */
export function limitEntries<T>(
  list: readonly T[],
  source: YamlValue,
  { limit, code, what }: EntryLimit,
): readonly T[] {
  if (list.length <= limit) return list;
  report(source, code, `${what} may have ${limit} entries at most`);
  return list.slice(0, limit);
}
