import { LiveDot as Dot } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useLiveState } from '../api/live-query';
import { useShellMessages } from './shell-messages';

/** Whether what is shown follows the server. Nothing where nothing on the page is live. */
export function LiveDot(): ReactElement | null {
  const t = useShellMessages();
  const state = useLiveState();
  return state === 'idle' ? null : <Dot state={state} label={t(`shell.live.${state}`)} />;
}
