import type { Schedule } from '../../model/schedule';
import type { SourceLocation } from '../../source/findings/source-location';
import { quote } from '../../source/text/quote';
import { requireKeys } from '../../shapes/json-schema/json-schema';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape, type Fields } from '../../shapes/read-object';
import { readNonEmptyText, readText, type Reader } from '../../shapes/readers';
import { namedShape, shape, type Shape } from '../../shapes/shape';
import { either, oneOrMany, reportInvalid, text } from '../../shapes/shapes';
import { getBoolean, getItems, getKind, getNumber, report, type YamlValue } from '../../source/yaml/yaml-value';
import { isTimestamp } from '../../shapes/timestamp';
import { parseCron } from './cron';
import { isNeverDue } from './never-due';

const kinds = ['cron', 'at'] as const;
type EntryKind = (typeof kinds)[number];

const readKind: Reader<EntryKind> = (value) => {
  const found = readText(value);
  const kind = kinds.find((known) => known === found);
  if (!kind && found !== undefined) {
    const message = `invalid schedule: kind must be one of: ${kinds.join(', ')} (value: ${quote(found)})`;
    report(value, 'invalid_schedule', message);
  }
  return kind;
};

const named = (pattern: RegExp, rule: string): Shape<string> =>
  shape<string>(
    (value) => {
      const name = readNonEmptyText(value);
      return name === undefined || pattern.test(name) ? name : reportInvalid(value, `must be ${rule}`);
    },
    { type: 'string', pattern: pattern.source },
  );
const calendarName = named(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, "-" or "_"');
const profileName = named(/^[a-z0-9][a-z0-9._-]{0,127}$/, '1 to 128 lower-case letters, digits, ".", "_" or "-"');

const dayOfMonth: Shape<number> = shape<number>(
  (value) => {
    const day = getNumber(value);
    if (day !== undefined && Number.isInteger(day) && day !== 0 && Math.abs(day) <= 31) return day;
    return reportInvalid(value, 'must be a business day of the month: 1 to 31, or -1 to -31 from its end');
  },
  { type: 'integer', minimum: -31, maximum: 31, not: { const: 0 } },
);

const daysOfMonth = oneOrMany(dayOfMonth, {
  limit: 62,
  code: 'invalid_schedule',
  what: 'invalid schedule: business_days',
});

const businessDays = shape<'all' | readonly number[]>(
  (value) => {
    if (getBoolean(value) === true) return 'all';
    if (getKind(value) === 'boolean') {
      return reportInvalid(value, 'must be true or a list of days: without calendar, every day counts');
    }
    const days = daysOfMonth.read(value);
    return days?.length === 0 && getItems(value).length === 0 ? reportInvalid(value, 'must not be empty') : days;
  },
  (book) => ({ anyOf: [{ const: true }, daysOfMonth.schema(book)] }),
);

export const entryKind = objectKind({
  title: 'schedule entry',
  keys: {
    kind: keySpec('cron or at', shape(readKind, { enum: kinds })),
    expression: keySpec(
      'Five cron fields, @hourly, @daily, @weekly, @monthly, @yearly or @every 90m, with an optional CRON_TZ=Zone before',
      text,
    ),
    at: keySpec('A point in time, RFC 3339 with an offset and whole minutes', text),
    calendar: keySpec('Name of the calendar whose business days count', calendarName),
    business_days: keySpec(
      'true for all business days of the calendar, or days of the month, from 1, or from -1 for the last one',
      businessDays,
    ),
    profile: keySpec('Name of the profile whose variables and secrets its runs get', profileName),
  },
  rules: {
    anyOf: [requireKeys('expression'), requireKeys('at')],
    not: { anyOf: [requireKeys('expression', 'at'), requireKeys('at', 'calendar')] },
    dependencies: { business_days: ['calendar'] },
  },
});

const cronText = shape<Schedule>(
  (value) => {
    if (getKind(value) === 'text') return readCron(value, readText(value));
    if (getKind(value) !== 'broken') {
      report(
        value,
        'invalid_type',
        'invalid schedule: an entry must be a cron expression, or a map with kind and expression',
      );
    }
    return undefined;
  },
  { type: 'string', minLength: 1 },
);

export const scheduleEntry = namedShape(
  'ScheduleEntry',
  either((value) => getKind(value) === 'map', objectShape(entryKind, readEntryMap), cronText),
);

function readEntryMap(fields: Fields<typeof entryKind.keys>, value: YamlValue): Schedule | undefined {
  const kind = fields.kind ? fields.kind.value : fields.at && !fields.expression ? 'at' : 'cron';
  if (!kind) return undefined;
  const [wanted, other] = kind === 'cron' ? [fields.expression, fields.at] : [fields.at, fields.expression];
  refuse(other, value, `an entry of kind ${kind} takes only ${requiredKey(kind)}`);
  if (!wanted) {
    report(value, 'missing_key', `invalid schedule: ${requiredKey(kind)} is required for kind ${kind}`);
    return undefined;
  }
  if (kind === 'at') {
    refuse(fields.calendar ?? fields.business_days, value, 'an entry of kind at takes no calendar');
    return withProfile(readAt(wanted.source, wanted.value), fields.profile?.value);
  }
  if (fields.business_days && !fields.calendar) {
    report(value, 'missing_key', 'invalid schedule: calendar is required for business_days');
    return undefined;
  }
  const entry = withProfile(readCron(wanted.source, wanted.value), fields.profile?.value);
  const calendar = fields.calendar?.value;
  const days = fields.business_days?.value;
  if (entry === undefined || calendar === undefined) return entry;
  return { ...entry, calendar, ...(days === undefined || days === 'all' ? {} : { businessDays: days }) };
}

function withProfile<Entry extends Schedule>(entry: Entry | undefined, profile: string | undefined): Entry | undefined {
  return entry === undefined || profile === undefined ? entry : { ...entry, profile };
}

function refuse(key: { readonly keyLocation: SourceLocation } | undefined, value: YamlValue, reason: string): void {
  if (key) value.context.report.add('conflicting_keys', key.keyLocation, `invalid schedule: ${reason}`);
}

function requiredKey(kind: EntryKind): string {
  return kind === 'cron' ? 'expression' : 'at';
}

function readCron(
  source: YamlValue,
  expression: string | undefined,
): Extract<Schedule, { readonly kind: 'cron' }> | undefined {
  if (expression === undefined) return undefined;
  const parsed = parseCron(expression, 'UTC');
  if ('problem' in parsed) {
    report(source, 'invalid_schedule', `invalid schedule ${quote(expression)}: ${parsed.problem}`);
    return undefined;
  }
  const step = Number(/^\*\/(\d+)$/.exec(parsed.fields[0] ?? '')?.[1] ?? 1);
  if (60 % step !== 0) {
    const message = `every ${step} minutes does not divide the hour: the last interval of each hour is shorter`;
    report(source, 'uneven_schedule', message);
  }
  if (isNeverDue(parsed.fields)) {
    report(source, 'schedule_never_due', `the schedule ${quote(expression)} names a date that never comes`);
  }
  return { kind: 'cron', expression: expression.trim() };
}

function readAt(source: YamlValue, at: string | undefined): Schedule | undefined {
  if (at === undefined) return undefined;
  if (isTimestamp(at) && /:00(Z|[+-]\d\d:\d\d)$/.test(at)) return { kind: 'at', at };
  const form = 'at must be RFC 3339 with an offset and seconds 00, like 2026-03-01T09:00:00+01:00';
  report(source, 'invalid_schedule', `invalid schedule ${quote(at)}: ${form}`);
  return undefined;
}
