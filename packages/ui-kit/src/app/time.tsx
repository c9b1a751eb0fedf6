import { useLingui } from '@lingui/react';
import { useMemo, type ReactElement } from 'react';
import { usePreferences } from './preferences';

export interface TimeFormat {
  /** Date and time with the zone. */
  readonly full: (time: Date) => string;
  /** Formats the time of today, else the date with the time; without seconds in whole minutes, as in schedules. */
  readonly short: (time: Date) => string;
  /** Formats `3m 12s`. */
  readonly duration: (ms: number) => string;
  /** Formats `Nov 23`. */
  readonly day: (time: Date) => string;
  readonly zone: string;
}

/** Formats times in the language and the zone that the person has chosen. */
export function useTimeFormat(): TimeFormat {
  const { i18n } = useLingui();
  const { timeZone } = usePreferences();
  const { locale } = i18n;
  return useMemo(() => createTimeFormat(locale === 'en-XA' ? 'en' : locale, timeZone), [locale, timeZone]);
}

/** A short time of the API, with the full time and its zone on hover. Renders nothing for an empty one. */
export function Time({ value }: { readonly value: string | undefined }): ReactElement | null {
  const format = useTimeFormat();
  if (value === undefined || value === '') return null;
  const time = new Date(value);
  return (
    <time dateTime={value} title={format.full(time)}>
      {format.short(time)}
    </time>
  );
}

/** Creates a format that depends on nothing else but the present day. */
function createTimeFormat(locale: string, timeZone: string, now: () => Date = () => new Date()): TimeFormat {
  const zone = timeZone === 'local' ? {} : { timeZone };
  const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const clock = { ...minute, second: '2-digit' } as const;
  const day = new Intl.DateTimeFormat(locale, { ...zone, dateStyle: 'short' });
  const timeOfDay = new Intl.DateTimeFormat(locale, { ...zone, ...clock });
  const minuteOfDay = new Intl.DateTimeFormat(locale, { ...zone, ...minute });
  const date = { month: 'short', day: 'numeric' } as const;
  const dayOnly = new Intl.DateTimeFormat(locale, { ...zone, ...date });
  const dayAndTime = new Intl.DateTimeFormat(locale, { ...zone, ...clock, ...date });
  const dayAndMinute = new Intl.DateTimeFormat(locale, { ...zone, ...minute, ...date });
  const full = new Intl.DateTimeFormat(locale, {
    ...zone,
    ...clock,
    timeZoneName: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  });
  return {
    full: (time) => full.format(time),
    short: (time) => {
      const isToday = day.format(time) === day.format(now());
      const isWholeMinute = time.getTime() % 60_000 === 0;
      if (isWholeMinute) return (isToday ? minuteOfDay : dayAndMinute).format(time);
      return (isToday ? timeOfDay : dayAndTime).format(time);
    },
    duration: formatDuration,
    day: (time) => dayOnly.format(time),
    zone: full.resolvedOptions().timeZone,
  };
}

/** Returns the two largest units of a duration. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .flatMap(([count, unit]) => (count > 0 ? `${count}${unit}` : []))
    .join(' ');
}
