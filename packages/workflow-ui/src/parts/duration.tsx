import { formatDuration } from '@weir/ui-kit/app';
import { useEffect, useState, type ReactElement } from 'react';

export interface DurationProps {
  /** Empty before the start. */
  readonly startedAt: string;
  /** Empty while it lasts. */
  readonly finishedAt: string;
}

/** How long something took, or has taken until now. */
export function Duration({ startedAt, finishedAt }: DurationProps): ReactElement | null {
  const isActive = startedAt !== '' && finishedAt === '';
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isActive) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isActive]);
  if (startedAt === '') return null;
  const end = isActive ? now : Date.parse(finishedAt);
  // An element, because tables take cells without one for empty.
  return <span>{formatDuration(end - Date.parse(startedAt))}</span>;
}
