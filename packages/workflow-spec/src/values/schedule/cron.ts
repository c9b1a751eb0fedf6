import { Cron } from 'croner';
import { limits } from '../../model/limits';

const zonePrefix = /^(?:CRON_)?TZ=(\S+)\s+/;

/** `cron` is the expression without its `CRON_TZ=Zone ` or `TZ=Zone ` prefix. */
export interface ParsedCron {
  readonly cron: Cron;
  /** Minute, hour, day, month, weekday. */
  readonly fields: readonly string[];
  /** The zone of the expression, else the given one, else that of the process. */
  readonly timeZone: string;
}

/** Parses a five-field expression. `defaultZone` applies to one without a prefix. */
export function parseCron(expression: string, defaultZone?: string): ParsedCron | { readonly problem: string } {
  if (expression.length > limits.cronLength) return { problem: `it is longer than ${limits.cronLength} characters` };
  const text = expression.trim();
  const zone = zonePrefix.exec(text)?.[1] ?? defaultZone;
  // In other cron programs `?` means every value; croner would insert the current time.
  const fields = text.replace(zonePrefix, '').replaceAll('?', '*').split(/\s+/);
  if (fields.length !== 5) return { problem: 'it must have five fields: minute, hour, day, month, weekday' };
  if (zone !== undefined && !isTimeZone(zone)) return { problem: `the time zone "${zone}" is not known` };
  try {
    const options = { paused: true, mode: '5-part' as const, ...(zone === undefined ? {} : { timezone: zone }) };
    const timeZone = zone ?? new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
    return { cron: new Cron(fields.join(' '), options), fields, timeZone };
  } catch (error) {
    // The message of croner names the field.
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read';
    return { problem: reason };
  }
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
