import cronstrue from 'cronstrue';
import type { Schemas } from '../../../api/client';

/** An entry of a schedule as a person would say it. */
export interface EntryInWords {
  readonly expression: string;
  readonly words: string;
  /** Of the entry, where it names one. */
  readonly timeZone?: string | undefined;
}

const zonePrefix = /^(?:CRON_)?TZ=(\S+)\s+/;

/** The words for cron expressions; a single time is left to those who know how times are written. */
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
    // The language of the server knows more than cron, and its expressions say what they mean.
    return cron;
  }
}
