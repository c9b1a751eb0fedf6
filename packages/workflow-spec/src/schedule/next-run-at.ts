import type { Schedule } from '../canonical/schedule';
import { parseCron } from './cron';

/**
 * The first time after `after` at which one of the entries is due; nothing when none ever is again. `timeZone` is an
 * IANA name for cron entries without a `CRON_TZ=` prefix, by default the zone of the process. An entry that no
 * parsed DAG can hold is left out.
 */
export function nextRunAt(schedule: readonly Schedule[], after: Date, timeZone?: string): Date | undefined {
  let next: Date | undefined;
  for (const entry of schedule) {
    const due =
      entry.kind === 'at' ? afterOnly(new Date(entry.at), after) : nextCron(entry.expression, after, timeZone);
    if (due && (!next || due < next)) next = due;
  }
  return next;
}

function afterOnly(at: Date, after: Date): Date | undefined {
  return at > after ? at : undefined;
}

function nextCron(expression: string, after: Date, timeZone: string | undefined): Date | undefined {
  const parsed = parseCron(expression, timeZone);
  return 'problem' in parsed ? undefined : (parsed.cron.nextRun(after) ?? undefined);
}
