import { useQueryClient } from '@tanstack/react-query';
import { StaleBar } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useLiveState } from '../../api/live-query';
import { liveStream } from '../../api/live-stream';
import { useAppMessages } from '../text/app-messages';
import { useTimeFormat } from '../time';
import { useShellMessages } from './shell-messages';

/** Above a page whose stream is lost: since when, and a way to read everything again. */
export function StaleNotice(): ReactElement | null {
  const t = useShellMessages();
  const app = useAppMessages();
  const time = useTimeFormat();
  const client = useQueryClient();
  const state = useLiveState();
  const lastSign = liveStream.getLastSign();
  if (state !== 'retrying' || lastSign === undefined) return null;
  return (
    <StaleBar
      message={t('shell.stale', { time: time.short(lastSign) })}
      refreshLabel={app('app.refresh')}
      onRefresh={() => void client.invalidateQueries()}
    />
  );
}
