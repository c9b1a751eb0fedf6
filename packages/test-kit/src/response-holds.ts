import type { ServerResponse } from 'node:http';

/** Keeps responses of a fake server open until the spec releases or aborts them. */
export interface ResponseHolds {
  /** Resolves when the held responses are released or aborted, or with `closed` when this client disconnects. */
  wait(response: ServerResponse): Promise<'release' | 'abort' | 'closed'>;
  end(how: 'release' | 'abort'): void;
  /** The number of responses that are held now. */
  count(): number;
}

export function createResponseHolds(): ResponseHolds {
  const held = new Set<(how: 'release' | 'abort' | 'closed') => void>();
  return {
    wait: (response) =>
      new Promise((resolve) => {
        const end = (how: 'release' | 'abort' | 'closed'): void => {
          held.delete(end);
          response.off('close', onClose);
          resolve(how);
        };
        const onClose = (): void => end('closed');
        held.add(end);
        if (response.destroyed) onClose();
        else response.once('close', onClose);
      }),
    end: (how) => {
      for (const end of [...held]) end(how);
    },
    count: () => held.size,
  };
}
