import { createRecordingLogger } from '@weir/test-kit';
import type { Timer } from '@weir/workflow-engine/model';
import { createRunIndexer } from './run-indexer';

describe('createRunIndexer', () => {
  it('indexes at an interval, goes on soon while there is more, and goes on after a failure', async () => {
    const answers = [100, 7, new Error('busy'), 0];
    const delays: number[] = [];
    const timer: Timer = {
      start: (afterMs, wake) => {
        delays.push(afterMs);
        // The last one waits until it is stopped.
        if (delays.length <= 4) queueMicrotask(wake);
        else queueMicrotask(() => void indexer.stop().then(stopped));
        return () => undefined;
      },
    };
    let stopped = (): void => undefined;
    const isStopped = new Promise<void>((resolve) => (stopped = resolve));
    const logger = createRecordingLogger();
    const catchUp = (): Promise<number> => {
      const answer = answers.shift();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? 0);
    };
    const indexer = createRunIndexer({ runIndex: { catchUp }, timer, logger });
    indexer.start();
    await isStopped;

    expect(delays).toEqual([5_000, 100, 5_000, 5_000, 5_000]);
  });
});
