import type { LogOptions } from '@weir/ui-kit';

const emptyTime = '';

/** Spells the times of lines: those of day in a zone (`local` for that of the browser), or the time since a beginning. */
export function createLogTime(
  times: LogOptions['times'],
  timeZone: string,
  startedAt: string | undefined,
): (time: string) => string {
  if (times === 'none') return () => emptyTime;
  const start = startedAt === undefined || startedAt === '' ? NaN : Date.parse(startedAt);
  if (times === 'relative' && !Number.isNaN(start)) return (time) => spellSince(Date.parse(time) - start);
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    ...(timeZone === 'local' ? {} : { timeZone }),
  });
  return (time) => format.format(new Date(time));
}

function spellSince(ms: number): string {
  const sign = ms < 0 ? '-' : '+';
  const seconds = Math.abs(ms) / 1000;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = (seconds % 60).toFixed(1).padStart(4, '0');
  const whole = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : String(minutes);
  return `${sign}${whole}:${rest}`.padStart(9);
}
