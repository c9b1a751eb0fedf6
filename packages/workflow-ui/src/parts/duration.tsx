import { formatDuration } from '@weir/ui-kit/app';
import { useEffect, useState, type ReactElement } from 'react';

export interface DurationProps {
  /** Empty before the start. */
  readonly startedAt: string;
  /** Empty until the end. */
  readonly finishedAt: string;
}

/** Shows how long something took, or has taken until now. */
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
  // The element is needed, because tables treat cells without one as empty.
  return <span>{formatDuration(end - Date.parse(startedAt))}</span>;
}
