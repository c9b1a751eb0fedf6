import type { FindingCode } from '../finding-catalogue';
import { report, type YamlValue } from '../yaml/yaml-value';

interface Bound {
  readonly limit: number;
  readonly code: FindingCode;
  /** As it stands in a message: `labels`. */
  readonly what: string;
}

/** The first items of a list; more than the limit are reported, once, before any of them costs anything. */
export function atMost<T>(list: readonly T[], place: YamlValue, { limit, code, what }: Bound): readonly T[] {
  if (list.length <= limit) return list;
  report(place, code, `${what} may have ${limit} entries at most`);
  return list.slice(0, limit);
}
