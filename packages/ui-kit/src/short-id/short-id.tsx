import type { ReactElement } from 'react';

const shownEnds = 6;

/** An id; of a long one both ends: the middle tells them apart least. */
export function ShortId({ id }: { readonly id: string }): ReactElement {
  const isLong = id.length > 2 * shownEnds + 2;
  return <code title={id}>{isLong ? `${id.slice(0, shownEnds)}…${id.slice(-shownEnds)}` : id}</code>;
}
