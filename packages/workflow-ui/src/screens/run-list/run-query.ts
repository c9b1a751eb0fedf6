import type { Schemas } from '../../api/client';
import { formatTerm, freeText, labelFilter, parseTerms, type QueryTerm } from '../../parts/query-text/query-terms';
import { runStatuses, statusNumber } from '../../parts/run-statuses';

export type RunFilter = Schemas['DAGRunFilter'];

export interface RunQuery {
  readonly filter: RunFilter;
  /** Words without a meaning here. */
  readonly unknown: readonly string[];
}

const hourMs = 3_600_000;
const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns what a query text selects. `now` counts by whole hours, so that the same text selects the same for a while. */
export function readRunQuery(text: string, now: Date): RunQuery {
  const terms = parseTerms(text);
  const unknown: string[] = [];
  let filter: RunFilter = {};
  for (const term of terms) {
    if (term.key === '' ? !term.isExcluded : term.key === 'label') continue;
    const part = term.isExcluded ? undefined : readTerm(term, filter, now);
    if (part === undefined) unknown.push(formatTerm(term));
    else filter = { ...filter, ...part };
  }
  const [name, labels] = [freeText(terms.filter(({ isExcluded }) => !isExcluded)), labelFilter(terms)];
  return {
    filter: { ...filter, ...(name === undefined ? {} : { name }), ...(labels === undefined ? {} : { labels }) },
    unknown,
  };
}

/** Returns `undefined` for an unknown key or value. */
function readTerm({ key, value }: QueryTerm, filter: RunFilter, now: Date): RunFilter | undefined {
  switch (key) {
    case 'status': {
      const label = runStatuses.find((status) => status === value);
      return label === undefined ? undefined : { status: [...(filter.status ?? []), statusNumber(label)] };
    }
    case 'id':
      return { dagRunId: value };
    case 'since':
      return readSince(value, now);
    case 'from':
      return dated('fromDate', readDay(value, 0));
    case 'to':
      return dated('toDate', readDay(value, 1));
    case 'longer':
      return dated('minDurationSec', readSeconds(value));
    case 'shorter':
      return dated('maxDurationSec', readSeconds(value));
    default:
      return undefined;
  }
}

function dated(
  field: 'fromDate' | 'toDate' | 'minDurationSec' | 'maxDurationSec',
  value: number | undefined,
): RunFilter | undefined {
  return value === undefined ? undefined : { [field]: value };
}

function readSince(value: string, now: Date): RunFilter | undefined {
  if (value === 'ever') return { fromDate: 0 };
  const seconds = readSeconds(value);
  if (seconds === undefined) return undefined;
  const hour = Math.floor(now.getTime() / hourMs) * hourMs;
  return { fromDate: Math.max(0, hour / 1000 - seconds) };
}

function readSeconds(value: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  return count === undefined ? undefined : Number(count) * (unitSeconds[unit] ?? 1);
}

/** Returns the beginning of a day in the zone of the reader, `daysLater` days later; or the named moment. */
function readDay(value: string, daysLater: number): number | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const date = new Date(isDay ? `${value}T00:00` : value);
  if (!/^\d{4}-/.test(value) || Number.isNaN(date.getTime())) return undefined;
  if (isDay) date.setDate(date.getDate() + daysLater);
  return Math.floor(date.getTime() / 1000);
}
