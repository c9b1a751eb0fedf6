import type { Schedule } from '../../model/schedule';
import { quote } from '../../source/text/quote';
import { requireKeys } from '../../shapes/json-schema/json-schema';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape, type Fields } from '../../shapes/read-object';
import { readText, type Reader } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { either, text } from '../../shapes/shapes';
import { getKind, report, type YamlValue } from '../../source/yaml/yaml-value';
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

export const entryKind = objectKind({
  title: 'schedule entry',
  keys: {
    kind: keySpec('cron or at', shape(readKind, { enum: kinds })),
    expression: keySpec(
      'Five cron fields, @hourly, @daily, @weekly, @monthly, @yearly or @every 90m, with an optional CRON_TZ=Zone before',
      text,
    ),
    at: keySpec('A point in time, RFC 3339 with an offset and whole minutes', text),
  },
  unsupported: {
    profile: 'a set of variables and secrets: env and secrets of the DAG or of its workspace take its place',
  },
  rules: { anyOf: [requireKeys('expression'), requireKeys('at')], not: requireKeys('expression', 'at') },
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
  if (other) {
    const message = `invalid schedule: an entry of kind ${kind} takes only ${requiredKey(kind)}`;
    value.context.report.add('conflicting_keys', other.keyLocation, message);
  }
  if (!wanted) {
    report(value, 'missing_key', `invalid schedule: ${requiredKey(kind)} is required for kind ${kind}`);
    return undefined;
  }
  return kind === 'cron' ? readCron(wanted.source, wanted.value) : readAt(wanted.source, wanted.value);
}

function requiredKey(kind: EntryKind): string {
  return kind === 'cron' ? 'expression' : 'at';
}

function readCron(source: YamlValue, expression: string | undefined): Schedule | undefined {
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
