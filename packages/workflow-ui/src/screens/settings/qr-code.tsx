import type { ReactElement } from 'react';
import { encode } from 'uqr';

export interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

/** The code is black on white in every theme, because cameras read nothing else reliably. */
export function QrCode({ text, label }: QrCodeProps): ReactElement {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width={200} height={200}>
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
