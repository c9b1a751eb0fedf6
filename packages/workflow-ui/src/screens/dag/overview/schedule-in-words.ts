import cronstrue from 'cronstrue';
import type { Schemas } from '../../../api/client';

/** An entry of a schedule in plain words. */
export interface EntryInWords {
  readonly expression: string;
  readonly words: string;
  /** The zone of the entry, where it names one. */
  readonly timeZone?: string | undefined;
}

const zonePrefix = /^(?:CRON_)?TZ=(\S+)\s+/;

/** Returns words for cron expressions; callers that format times describe single times. */
export function scheduleInWords(schedule: readonly Schemas['Schedule'][]): readonly EntryInWords[] {
  return schedule.flatMap(({ expression }) => {
    if (expression === undefined) return [];
    const timeZone = zonePrefix.exec(expression)?.[1];
    const cron = expression.replace(zonePrefix, '');
    return [{ expression, timeZone, words: toWords(cron) }];
  });
}

function toWords(cron: string): string {
  const [, span] = /^@every\s+(\S+)$/i.exec(cron) ?? [];
  if (span !== undefined) return `Every ${span.replaceAll(/(?<=[dhms])(?=\d)/g, ' ')}`;
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true, verbose: false });
  } catch {
    // The language of the server knows more than cron, and its expressions explain themselves.
    return cron;
  }
}
