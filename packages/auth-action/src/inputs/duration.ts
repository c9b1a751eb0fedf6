import { validInput, invalidInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';

const secondsPerUnit = { '': 1, s: 1, m: 60, h: 3600 } as const;
const form = /^(?:\d{1,9}[smh])*(?:\d{1,9})?$/;

export interface DurationRange {
  readonly minSeconds: number;
  readonly maxSeconds: number;
  /** `maxSeconds` for messages: `10m`. */
  readonly maxText: string;
}

/** Parses `3600s`, `90m` and `1h30m`. A number without a unit is seconds; spaces and commas have no meaning. */
export function parseDuration(text: string, range: DurationRange): ParsedInput<number> {
  const seconds = countSeconds(text);
  if (seconds === undefined) {
    return invalidInput(
      'duration_invalid',
      `is ${quoteInput(text)}, which is not a duration. Use whole numbers with s, m or h: 3600s, 90m, 1h30m.`,
    );
  }
  if (seconds < range.minSeconds || seconds > range.maxSeconds) {
    return invalidInput(
      'duration_out_of_range',
      `is ${seconds} seconds. Use ${range.minSeconds}s to ${range.maxText}.`,
    );
  }
  return validInput(seconds);
}

function countSeconds(text: string): number | undefined {
  const compact = text.replaceAll(/[\s,]/g, '');
  if (compact === '' || !form.test(compact)) return undefined;
  const parts = compact.matchAll(/(?<count>\d+)(?<unit>[smh]?)/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * unitSeconds(unit), 0);
}

function unitSeconds(unit: string | undefined): number {
  // The pattern allows no other unit.
  return secondsPerUnit[unit as keyof typeof secondsPerUnit];
}
