import { useQueryClient } from '@tanstack/react-query';
import { StaleBar } from '@weir/ui-kit';
import { useTimeFormat } from '@weir/ui-kit/app';
import { useSyncExternalStore, type ReactElement } from 'react';
import { useLiveState } from '../api/live-query';
import { liveStream } from '../api/live-stream';
import { useAppMessages } from '../parts/text/app-messages';
import { useShellMessages } from './shell-messages';

/** Shown above a page whose stream is lost: since when, why, and a button that reads everything again. */
export function StaleNotice(): ReactElement | null {
  const t = useShellMessages();
  const app = useAppMessages();
  const time = useTimeFormat();
  const client = useQueryClient();
  const state = useLiveState();
  const isOnline = useSyncExternalStore(onNetworkChange, () => navigator.onLine);
  const lastSign = liveStream.getLastSign();
  if (state !== 'retrying' || lastSign === undefined) return null;
  return (
    <StaleBar
      message={t(isOnline ? 'shell.stale' : 'shell.stale.offline', { time: time.short(lastSign) })}
      refreshLabel={app('app.refresh')}
      onRefresh={() => void client.invalidateQueries()}
    />
  );
}

function onNetworkChange(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
