import { parsed, wrong, type Parsed } from './parsed';
import { show } from './show';

const secondsOf = { s: 1, m: 60, h: 3600 } as const;
const form = /^\d{1,9}[smh](?:[\s,]*\d{1,9}[smh])*$/;

export interface DurationRange {
  readonly minSeconds: number;
  readonly maxSeconds: number;
  /** The largest as one would write it. */
  readonly maxText: string;
}

/** Seconds of `3600s`, `90m`, `1h30m` or a bare count of seconds. */
export function parseDuration(text: string, range: DurationRange): Parsed<number> {
  const seconds = secondsIn(text);
  if (seconds === undefined) {
    return wrong(
      'duration_invalid',
      `is ${show(text)}, which is no duration. Write whole numbers with s, m or h: 3600s, 90m, 1h30m.`,
    );
  }
  if (seconds < range.minSeconds || seconds > range.maxSeconds) {
    return wrong('duration_out_of_range', `is ${seconds} seconds. Give ${range.minSeconds}s to ${range.maxText}.`);
  }
  return parsed(seconds);
}

function secondsIn(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (!form.test(text)) return undefined;
  const parts = text.matchAll(/(?<count>\d+)(?<unit>[smh])/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * unitSeconds(unit), 0);
}

function unitSeconds(unit: string | undefined): number {
  // The form admits no other unit.
  return secondsOf[unit as keyof typeof secondsOf];
}
