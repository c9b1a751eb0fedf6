import type { ReactElement } from 'react';
import { useTimeFormat } from '../time';

/** A time of the API, short, with the whole of it and its zone on hover. Nothing for an empty one. */
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
