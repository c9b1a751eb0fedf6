import type { ReactElement } from 'react';

const shownEnds = 6;

/** An id; a long one shows both ends, because the middle distinguishes ids least. */
export function ShortId({ id }: { readonly id: string }): ReactElement {
  const isLong = id.length > 2 * shownEnds + 2;
  return <code title={id}>{isLong ? `${id.slice(0, shownEnds)}…${id.slice(-shownEnds)}` : id}</code>;
}
