import { useLingui } from '@lingui/react';
import { useEffect, useState, type ReactElement } from 'react';
import { useTimeFormat } from '../app/time';

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long ago something was, in the largest unit, with the whole time on hover. */
export function Age({ value }: { readonly value: string }): ReactElement {
  const { i18n } = useLingui();
  const format = useTimeFormat();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={value} title={format.full(new Date(value))}>
      {describeAge(now - Date.parse(value), i18n.locale === 'en-XA' ? 'en' : i18n.locale)}
    </time>
  );
}

/** `5 minutes ago`. A clock that is ahead makes nothing of the future. */
export function describeAge(ms: number, locale: string): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(seconds / size), unit);
}
