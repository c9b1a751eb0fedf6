import type { FindingCode } from '../findings/catalogue/finding-catalogue';
import { report, type YamlValue } from '../yaml/yaml-value';

export interface EntryLimit {
  readonly limit: number;
  readonly code: FindingCode;
  /** As it stands in a message: `labels`. */
  readonly what: string;
}

/** The first items of a list; more than the limit are reported, once, before any of them costs anything. */
export function limitEntries<T>(
  list: readonly T[],
  source: YamlValue,
  { limit, code, what }: EntryLimit,
): readonly T[] {
  if (list.length <= limit) return list;
  report(source, code, `${what} may have ${limit} entries at most`);
  return list.slice(0, limit);
}
