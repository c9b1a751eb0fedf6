import type { Schedule } from '../dag';
import { limits } from '../limits';
import { quote } from '../quote';
import { keySpec, objectKind } from '../read/object-kind';
import { readObject } from '../read/read-object';
import { readText, wrongKind, type Reader } from '../read/readers';
import { entriesOf, itemsOf, kindOf, report, type YamlValue } from '../yaml/yaml-value';
import { parseCron } from './cron';

const entryKind = objectKind({
  title: 'schedule entry',
  keys: {
    kind: keySpec('cron or at', readText),
    expression: keySpec('Five cron fields, with an optional CRON_TZ=Zone before them', readText),
    at: keySpec('One point in time, RFC 3339 with an offset', readText),
  },
  unsupported: { profile: 'the runtime profile of a scheduled run' },
});

const atPattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:Z|[+-](\d{2}):(\d{2}))$/;
// Any date will do: five fields name no year, so a date that is not found from here is never found.
const referenceDate = new Date(Date.UTC(2026, 0, 1));

/** A cron text, an entry, a list of both, or a map with them under `start`. */
export const readSchedule: Reader<readonly Schedule[]> = (value) => {
  const isStartMap = kindOf(value) === 'map' && !entriesOf(value).some(({ key }) => entryKind.spellings.has(key));
  return isStartMap ? readObject(value, scheduleKind)?.fields.start?.value : readEntries(value);
};

const readEntries: Reader<readonly Schedule[]> = (value) => {
  const items = kindOf(value) === 'list' ? itemsOf(value) : [value];
  if (items.length > limits.schedules) {
    report(value, 'invalid_schedule', `invalid schedule: a DAG may have ${limits.schedules} entries at most`);
  }
  return items.slice(0, limits.schedules).flatMap((item) => readEntry(item) ?? []);
};

const scheduleKind = objectKind({
  title: 'schedule',
  keys: { start: keySpec('When runs start', readEntries) },
  unsupported: { stop: 'when runs are stopped', restart: 'when runs are restarted' },
});

const readEntry: Reader<Schedule> = (value) => {
  if (kindOf(value) === 'map') return readEntryMap(value);
  if (kindOf(value) !== 'text') {
    wrongKind(value, 'a cron text or a map with kind and expression');
    return undefined;
  }
  return readCron(value, readText(value));
};

function readEntryMap(value: YamlValue): Schedule | undefined {
  const fields = readObject(value, entryKind)?.fields;
  if (!fields) return undefined;
  const kind = fields.kind ? fields.kind.value : fields.at ? 'at' : 'cron';
  if (fields.kind && kind === undefined) return undefined;
  if (kind !== 'cron' && kind !== 'at') {
    report(fields.kind?.source ?? value, 'invalid_schedule', 'invalid schedule: kind must be one of: cron, at');
    return undefined;
  }
  const [wanted, other] = kind === 'cron' ? [fields.expression, fields.at] : [fields.at, fields.expression];
  if (other) {
    report(other.source, 'conflicting_keys', `invalid schedule: an entry of kind ${kind} takes only ${keyOf(kind)}`);
  }
  if (!wanted) {
    report(value, 'missing_key', `invalid schedule: ${keyOf(kind)} is required for kind ${kind}`);
    return undefined;
  }
  return kind === 'cron' ? readCron(wanted.source, wanted.value) : readAt(wanted.source, wanted.value);
}

function keyOf(kind: 'cron' | 'at'): string {
  return kind === 'cron' ? 'expression' : 'at';
}

function readCron(place: YamlValue, expression: string | undefined): Schedule | undefined {
  if (expression === undefined) return undefined;
  const parsed = parseCron(expression, 'UTC');
  if ('problem' in parsed) {
    report(place, 'invalid_schedule', `invalid schedule ${quote(expression)}: ${parsed.problem}`);
    return undefined;
  }
  const step = Number(/^\*\/(\d+)$/.exec(parsed.minutes)?.[1] ?? 1);
  if (60 % step !== 0) {
    const text = `every ${step} minutes does not divide the hour: the last gap of each hour is shorter`;
    report(place, 'uneven_schedule', text);
  }
  if (!parsed.cron.nextRun(referenceDate)) {
    report(place, 'schedule_never_due', `the schedule ${quote(expression)} names a date that never comes`);
  }
  return { kind: 'cron', expression: expression.trim() };
}

function readAt(place: YamlValue, at: string | undefined): Schedule | undefined {
  if (at === undefined) return undefined;
  if (isPointInTime(at)) return { kind: 'at', at };
  const text = `invalid schedule ${quote(at)}: at must be RFC 3339 with an offset and seconds 00, like 2026-03-01T09:00:00+01:00`;
  report(place, 'invalid_schedule', text);
  return undefined;
}

// Date alone would turn the 31st of April into the 1st of May.
function isPointInTime(text: string): boolean {
  const parts = atPattern
    .exec(text)
    ?.slice(1)
    .map((part) => Number(part));
  if (!parts || Number.isNaN(Date.parse(text))) return false;
  const [year = 0, month = 0, day = 0, , , seconds] = parts;
  const date = new Date(Date.UTC(year, month - 1, day));
  return seconds === 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
