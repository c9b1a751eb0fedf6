import { Button } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { useQueuesMessages } from './queues-messages';

/** Pauses or resumes a queue. */
export function PauseButton({ queue: { name, pausedAt } }: { readonly queue: Schemas['Queue'] }): ReactElement {
  const t = useQueuesMessages();
  const isPaused = pausedAt !== undefined;
  const refusal = useRefusal(isPaused ? 'resumeQueue' : 'pauseQueue');
  const { mutate, isPending } = useAction({
    run: () =>
      unwrap(api.POST(isPaused ? '/queues/{name}/resume' : '/queues/{name}/pause', { params: { path: { name } } })),
    done: () => t(isPaused ? 'queues.resumed' : 'queues.paused', { name }),
    changes: ['live'],
  });
  return (
    <Button
      aria-label={t(isPaused ? 'queues.resumeLabel' : 'queues.pauseLabel', { name })}
      isPending={isPending}
      disabledReason={refusal}
      onPress={() => mutate()}
    >
      {t(isPaused ? 'queues.resume' : 'queues.pause')}
    </Button>
  );
}
