import { useLocation, useNavigate } from '@tanstack/react-router';
import { formatLineRange, parseLineRange, type LineRange } from '@weir/ui-kit';
import { useCallback, useMemo } from 'react';

/** The lines that the address selects: `#L120-L140`. */
export function useSelectedLines(): readonly [LineRange | undefined, (range: LineRange | undefined) => void] {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const selection = useMemo(() => (hash.startsWith('L') ? parseLineRange(hash) : undefined), [hash]);
  const select = useCallback(
    (range: LineRange | undefined): void =>
      void navigate({
        to: '.',
        search: true,
        hash: range === undefined ? '' : formatLineRange(range),
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      }),
    [navigate],
  );
  return [selection, select];
}
