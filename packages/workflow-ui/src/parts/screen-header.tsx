import { ScreenHeader as PlainScreenHeader } from '@weir/ui-kit/app';
import type { ComponentProps, ReactElement } from 'react';
import { useWaitingCount } from '../api/open-decisions';

/** The head of a screen, which also shows in the title of the window how many decisions wait for the person. */
export function ScreenHeader(props: Omit<ComponentProps<typeof PlainScreenHeader>, 'windowPrefix'>): ReactElement {
  const waiting = useWaitingCount()?.mine ?? 0;
  return <PlainScreenHeader {...props} windowPrefix={waiting > 0 ? `(${waiting}) ` : ''} />;
}
