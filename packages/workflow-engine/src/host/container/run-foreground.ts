import { endOrStop, type StopOptions } from '../concurrency/end-or-stop';
import type { ActionLog } from '../logs/action-log';
import { toDuplex, followStreams } from './container-streams';
import { withDeadline } from './with-deadline';
import { engineFailed } from './engine-errors';
import type { ContainerEnd } from './exec-in-container';
import { startContainer, type OpenContainer } from './open-container';

/** Starts a container and waits for the end of its main process; `undefined` when no end was reported after a stop. */
export async function runForeground(
  { container }: OpenContainer,
  options: Omit<StopOptions, 'send'> & { readonly log: Pick<ActionLog, 'out' | 'err'> },
): Promise<ContainerEnd | undefined> {
  // Before the start, so that neither output nor end is missed.
  const attached = await withDeadline(
    container.attach({ stream: true, stdout: true, stderr: true, hijack: true, stdin: false }),
    'lost',
  );
  const stream = toDuplex(attached);
  try {
    const { ended, stderrTail } = followStreams(stream, options.log);
    const exited = container.wait({ condition: 'next-exit' }).catch((error: unknown) => {
      throw engineFailed('lost', error);
    }) as Promise<{ readonly StatusCode: number }>;
    exited.catch(() => undefined);
    await startContainer(container);
    const end = Promise.all([exited, ended]).then(([{ StatusCode: exitCode }]) => ({
      exitCode,
      stderrTail: stderrTail(),
    }));
    end.catch(() => undefined);
    const send = (name: string): void => {
      // A container that has ended meanwhile cannot be signalled.
      container.kill({ signal: name }).catch(() => undefined);
    };
    return await endOrStop(end, { ...options, send });
  } finally {
    stream.destroy();
  }
}
