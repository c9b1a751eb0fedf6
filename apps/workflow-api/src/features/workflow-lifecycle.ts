import type { LocalControl } from './local-control';
import type { Retention } from './retention';
import type { AutomaticRetries } from './scheduler';
import type { WorkflowFeatures, WorkflowFeaturesOptions, WorkflowStores } from './workflow-features';

type Lifecycle = Pick<WorkflowFeatures, 'start' | 'startForSingleRuns' | 'stop'>;

/** What is started and ended with the features, and in which order. */
export function lifecycleOf(
  {
    catalog,
    worker,
    scheduler,
    retryDue,
    retention,
    control,
  }: Pick<WorkflowFeatures, 'catalog' | 'worker' | 'scheduler'> & {
    readonly retryDue: AutomaticRetries;
    readonly retention: Retention;
    readonly control: LocalControl;
  },
  { parsers, jsRunner, queue }: Pick<WorkflowStores, 'parsers' | 'jsRunner' | 'queue'>,
  { queues = new Map() }: Pick<WorkflowFeaturesOptions, 'queues'>,
): Lifecycle {
  return {
    start: async ({ withWorker: withWorker }) => {
      // The scheduler takes in DAGs while the catalog reads them.
      if (withWorker) await scheduler.prepare();
      await catalog.start();
      await queue.setLimits(queues);
      if (withWorker) await worker.start({ claimsQueued: true });
      if (withWorker) scheduler.start();
      if (withWorker) retryDue.start();
      if (withWorker) retention.start();
      await control.listen(withWorker ? 'all' : 'none');
    },
    startForSingleRuns: async () => {
      await worker.start({ claimsQueued: false });
      await control.listen('its own');
    },
    stop: async () => {
      await control.stop();
      await scheduler.stop();
      await retryDue.stop();
      await worker.stop();
      await retention.stop();
      // The catalog would wait for the files it has given to the parser.
      await Promise.all([catalog.stop(), parsers.stop(), jsRunner.stop()]);
    },
  };
}
