import type { QueryClient } from '@tanstack/react-query';
import type { SessionChanges } from '@weir/rollout-contract';
import { useEffect, useState } from 'react';
import { addressOf } from './client';

export type LiveState = 'connecting' | 'live' | 'retrying';

export interface Live {
  readonly state: LiveState;
  /** When the proxy was last heard, where the stream is lost. */
  readonly lostAt: Date | undefined;
}

/** Follows the changes of sessions: what they touch is read again. The browser reopens a lost stream by itself. */
export function useLive(client: QueryClient): Live {
  const [live, setLive] = useState<Live>({ state: 'connecting', lostAt: undefined });
  useEffect(() => {
    const source = new EventSource(addressOf('/rl/events'));
    let wasLost = false;
    let wasReady = false;
    source.addEventListener('ready', () => {
      setLive({ state: 'live', lostAt: undefined });
      // What changed meanwhile was not told.
      if (wasReady || wasLost) void client.invalidateQueries();
      [wasReady, wasLost] = [true, false];
    });
    source.addEventListener('changes', ({ data }: MessageEvent<string>) =>
      applyChanges(client, JSON.parse(data) as SessionChanges),
    );
    source.addEventListener('error', () => {
      if (!wasLost) setLive({ state: 'retrying', lostAt: new Date() });
      wasLost = true;
    });
    return () => source.close();
  }, [client]);
  return live;
}

function applyChanges(client: QueryClient, { sessions, removed }: SessionChanges): void {
  for (const queryKey of [['sessions'], ['tasks'], ['status']]) void client.invalidateQueries({ queryKey });
  for (const id of [...sessions.map(({ session_id }) => session_id), ...removed]) {
    void client.invalidateQueries({ queryKey: ['session', id] });
  }
}
