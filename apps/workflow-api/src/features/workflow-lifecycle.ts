import type { LocalControl } from './local-control';
import type { Retention } from './retention';
import type { AutomaticRetries } from './scheduler';
import type { WorkflowFeatures, WorkflowFeaturesOptions, WorkflowStores } from './workflow-features';

type Lifecycle = Pick<WorkflowFeatures, 'start' | 'startForSingleRuns' | 'stop'>;

/** What is started and ended with the features, and in which order. */
export function lifecycleOf(
  {
    catalog,
    runner,
    scheduler,
    retryDue,
    retention,
    control,
  }: Pick<WorkflowFeatures, 'catalog' | 'runner' | 'scheduler'> & {
    readonly retryDue: AutomaticRetries;
    readonly retention: Retention;
    readonly control: LocalControl;
  },
  { parsers, jsRunner, queue }: Pick<WorkflowStores, 'parsers' | 'jsRunner' | 'queue'>,
  { queues = new Map() }: Pick<WorkflowFeaturesOptions, 'queues'>,
): Lifecycle {
  return {
    start: async ({ withRunner }) => {
      // The scheduler takes in DAGs while the catalog reads them.
      if (withRunner) await scheduler.prepare();
      await catalog.start();
      await queue.setLimits(queues);
      if (withRunner) await runner.start({ takesQueued: true });
      if (withRunner) scheduler.start();
      if (withRunner) retryDue.start();
      if (withRunner) retention.start();
      await control.listen(withRunner ? 'all' : 'none');
    },
    startForSingleRuns: async () => {
      await runner.start({ takesQueued: false });
      await control.listen('its own');
    },
    stop: async () => {
      await control.stop();
      await scheduler.stop();
      await retryDue.stop();
      await runner.stop();
      await retention.stop();
      // The catalog would wait for the files it has given to the parser.
      await Promise.all([catalog.stop(), parsers.stop(), jsRunner.stop()]);
    },
  };
}
