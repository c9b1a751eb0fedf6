import { ScreenHeader as PlainScreenHeader, type ScreenHeaderProps } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { useWaitingCount } from '../api/open-decisions';

/** The head of a screen, which also says in the title of the window how much waits for the person. */
export function ScreenHeader(props: Omit<ScreenHeaderProps, 'windowPrefix'>): ReactElement {
  const waiting = useWaitingCount()?.mine ?? 0;
  return <PlainScreenHeader {...props} windowPrefix={waiting > 0 ? `(${waiting}) ` : ''} />;
}
