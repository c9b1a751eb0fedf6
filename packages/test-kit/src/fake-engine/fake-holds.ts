import type { ServerResponse } from 'node:http';
import type { FakeHold } from './fake-writer';

export interface FakeHolds extends FakeHold {
  end(how: 'release' | 'abort'): void;
}

export function createHolds(): FakeHolds {
  const held = new Set<(how: 'release' | 'abort' | 'left') => void>();
  return {
    wait: (response: ServerResponse) =>
      new Promise((resolve) => {
        const end = (how: 'release' | 'abort' | 'left'): void => {
          held.delete(end);
          response.off('close', left);
          resolve(how);
        };
        const left = (): void => end('left');
        held.add(end);
        if (response.destroyed) left();
        else response.once('close', left);
      }),
    end: (how) => {
      for (const end of [...held]) end(how);
    },
  };
}
