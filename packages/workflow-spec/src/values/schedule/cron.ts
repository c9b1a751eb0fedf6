import { Cron } from 'croner';
import { limits } from '../../model/limits';
import { createCronTimes, createIntervalTimes, type RecurringTimes } from './recurring-times';

const zonePrefix = /^(?:CRON_)?TZ=(\S+)\s+/;

/** An expression without its `CRON_TZ=Zone ` or `TZ=Zone ` prefix. */
export interface ParsedCron {
  readonly times: RecurringTimes;
  /** Minute, hour, day, month, weekday; empty for an interval. */
  readonly fields: readonly string[];
  /** The zone of the expression, else the given one, else that of the process. */
  readonly timeZone: string;
}

/** Short forms of expressions, in lower case. */
export const namedSchedules: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const named = ['@hourly', '@daily', '@weekly', '@monthly', '@yearly', '@every 90m'];
/** The largest value of each field. */
const largest = [59, 23, 31, 12, 6];
const weekdayIndex = 4;

/** Parses five fields, a short form or an interval. `defaultZone` applies to an expression without a prefix. */
export function parseCron(expression: string, defaultZone?: string): ParsedCron | { readonly problem: string } {
  if (expression.length > limits.cronLength) return { problem: `it is longer than ${limits.cronLength} characters` };
  const text = expression.trim();
  const zone = zonePrefix.exec(text)?.[1] ?? defaultZone;
  if (zone !== undefined && !isTimeZone(zone)) return { problem: `the time zone "${zone}" is not known` };
  const timeZone = zone ?? new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
  const pattern = text.replace(zonePrefix, '');
  if (/^@every(?:\s|$)/i.test(pattern)) return parseInterval(pattern.slice('@every'.length).trim(), timeZone);
  const known = namedSchedules[pattern.toLowerCase()];
  if (known === undefined && pattern.startsWith('@')) return { problem: `it must be one of: ${named.join(', ')}` };
  // In other cron programs `?` means every value; croner would insert the current time.
  const fields = (known ?? pattern).replaceAll('?', '*').split(/\s+/).map(withEnd);
  if (fields.length !== 5) return { problem: 'it must have five fields: minute, hour, day, month, weekday' };
  try {
    const cron = new Cron(fields.join(' '), { paused: true, mode: '5-part', utcOffset: 0 });
    const isHourly = fields[1]?.startsWith('*') === true;
    return { times: createCronTimes({ cron, timeZone, isHourly }), fields, timeZone };
  } catch (error) {
    // The message of croner names the field.
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read';
    return { problem: reason };
  }
}

/** Where a step has a beginning but no end, it goes on to the end of the field: `1/2` is `1-23/2` for hours. */
function withEnd(field: string, index: number): string {
  return field.replaceAll(/(^|,)(\w+)\/(?=\d)/g, (_, separator: string, first: string) => {
    // Sunday is the first weekday by its other number, too.
    const beginning = index === weekdayIndex && first === '7' ? '0' : first;
    return `${separator}${beginning}-${largest[index] ?? first}/`;
  });
}

const interval = /^(?=\d)(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/;
const unitMinutes = [1_440, 60, 1, 1 / 60];

function parseInterval(text: string, timeZone: string): ParsedCron | { readonly problem: string } {
  // A missing unit leaves an undefined group.
  const parts: readonly (string | undefined)[] | undefined = interval.exec(text)?.slice(1);
  const minutes = parts?.reduce((sum, part, index) => sum + Number(part ?? 0) * (unitMinutes[index] ?? 0), 0);
  if (minutes === undefined || !Number.isInteger(minutes) || minutes < 1 || minutes * 60 > limits.durationSec) {
    return { problem: '@every takes a time span of whole minutes, such as 90m, 1h30m or 2d, of at most ten years' };
  }
  return { times: createIntervalTimes(minutes), fields: [], timeZone };
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    // Constructing a formatter is the only way to test a zone: it throws for an unknown one.
    return false;
  }
}
