import { Cron } from 'croner';
import { limits } from '../limits';

const zonePrefix = /^CRON_TZ=(\S+)\s+/;

/** The expression without its `CRON_TZ=Zone ` prefix, ready to be asked for times. */
export interface ParsedCron {
  readonly cron: Cron;
  /** Minute, hour, day, month, weekday. */
  readonly fields: readonly string[];
}

/** A five-field expression, or a sentence that says why it is not one. `timeZone` is for one without prefix. */
export function parseCron(expression: string, timeZone?: string): ParsedCron | { readonly problem: string } {
  if (expression.length > limits.cronLength) return { problem: `it is longer than ${limits.cronLength} characters` };
  const text = expression.trim();
  const zone = zonePrefix.exec(text)?.[1] ?? timeZone;
  // To others `?` is every value; croner would put in the time of the call.
  const fields = text.replace(zonePrefix, '').replaceAll('?', '*').split(/\s+/);
  if (fields.length !== 5) return { problem: 'it must have five fields: minute, hour, day, month, weekday' };
  if (zone !== undefined && !isTimeZone(zone)) return { problem: `the time zone "${zone}" is not known` };
  try {
    const options = { paused: true, mode: '5-part' as const, ...(zone === undefined ? {} : { timezone: zone }) };
    return { cron: new Cron(fields.join(' '), options), fields };
  } catch (error) {
    // croner throws for an expression it cannot read; its text names the field.
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read';
    return { problem: reason };
  }
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    // The only way to ask: an unknown zone throws.
    return false;
  }
}
