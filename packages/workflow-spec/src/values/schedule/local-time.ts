const minuteMs = 60_000;
/** Clocks change by at most this time, in either direction. */
const aroundMs = 3 * 60 * minuteMs;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the minutes by which clocks of the zone are ahead of UTC. */
export function zoneOffset(timeZone: string, at: Date): number {
  if (timeZone === 'UTC') return 0;
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** The first moment in `(after, to]` at which the offset is that at its end, in milliseconds; it changes once in it. */
export function findOffsetChange(timeZone: string, after: number, to: number): number {
  const offset = zoneOffset(timeZone, new Date(to));
  let [low, high] = [Math.floor(after / minuteMs), Math.ceil(to / minuteMs)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zoneOffset(timeZone, new Date(middle * minuteMs)) === offset) high = middle;
    else low = middle;
  }
  return high * minuteMs;
}

/** Returns the time that clocks of the zone show, with their offset: `2026-03-29T03:00:00+02:00`. */
export function formatLocalTime(timeZone: string, at: Date): string {
  const offset = zoneOffset(timeZone, at);
  const shown = new Date(at.getTime() + offset * minuteMs).toISOString().slice(0, 19);
  const digits = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(offset);
  return `${shown}${offset < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}

/** Whether clocks of the zone show this time twice, because they are set back. */
export function isRepeatedTime(timeZone: string, at: Date): boolean {
  const offsetAt = (ms: number): number => zoneOffset(timeZone, new Date(ms));
  const setBack = offsetAt(at.getTime() - aroundMs) - offsetAt(at.getTime() + aroundMs);
  if (setBack <= 0) return false;
  const offset = offsetAt(at.getTime());
  const other = setBack * minuteMs;
  return offsetAt(at.getTime() + other) === offset - setBack || offsetAt(at.getTime() - other) === offset + setBack;
}
