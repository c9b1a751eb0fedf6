import { useLingui } from '@lingui/react';
import { useTimeFormat } from '@weir/ui-kit/app';
import { useEffect, useState, type ReactElement } from 'react';

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

export interface AgeProps {
  readonly value: string;
}

/** Shows how long ago a time was, in the largest unit, with the full time on hover. */
export function Age({ value }: AgeProps): ReactElement {
  // A server clock that is ahead must not make the time a future one.
  return <Distance value={value} measure={(now, time) => Math.min(0, time - now)} />;
}

/** Shows the same for a future time. */
export function Until({ value }: AgeProps): ReactElement {
  return <Distance value={value} measure={(now, time) => Math.max(0, time - now)} />;
}

interface DistanceProps extends AgeProps {
  readonly measure: (now: number, time: number) => number;
}

function Distance({ value, measure }: DistanceProps): ReactElement {
  const { i18n } = useLingui();
  const format = useTimeFormat();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={value} title={format.full(new Date(value))}>
      {describeDistance(measure(now, Date.parse(value)), i18n.locale === 'en-XA' ? 'en' : i18n.locale)}
    </time>
  );
}

/** Formats `5 minutes ago`, `in 5 minutes`. */
function describeDistance(ms: number, locale: string): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(
    Math.sign(ms) * Math.floor(seconds / size),
    unit,
  );
}
