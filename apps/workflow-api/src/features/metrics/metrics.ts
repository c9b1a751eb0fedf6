import type { DagRunSummary } from '@weir/workflow-engine/model';
import { runStatus, type Clock } from '@weir/workflow-engine/model';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { DagRunRepository, RunCount } from '../runs';

export interface MetricsDependencies {
  readonly prefix: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly clock: Clock;
  readonly runs: Pick<DagRunRepository, 'countRuns'>;
  readonly readEndedRuns: () => Promise<readonly DagRunSummary[]>;
  readonly countDags: () => number;
  readonly isSchedulerRunning: () => boolean;
}

const everywhere = { unassigned: true, named: 'all' } as const;

/** Reads the state of this installation in the text format of Prometheus. */
export function createMetrics(dependencies: MetricsDependencies) {
  const { prefix, runs, clock } = dependencies;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `${prefix}${name}`, help, labelNames, registers });
  const info = gauge('info', 'Version of the server; 1.', ['version', 'node_version']);
  const uptime = gauge('uptime_seconds', 'Seconds since the start of this process.');
  const running = gauge('dag_runs_currently_running', 'Runs that are running.');
  const queued = gauge('dag_runs_queued_total', 'Runs that wait in a queue.');
  const total = gauge('dag_runs_total', 'Runs stored today, by status.', ['status']);
  const runningByDag = gauge('dag_runs_currently_running_by_dag', 'Runs that are running, by DAG.', ['dag']);
  const queuedByDag = gauge('dag_runs_queued_by_dag', 'Runs that wait in a queue, by DAG.', ['dag']);
  const totalByDag = gauge('dag_runs_total_by_dag', 'Runs stored today, by DAG and status.', ['dag', 'status']);
  const dags = gauge('dags_total', 'DAG files.');
  const scheduler = gauge('scheduler_running', '1 while this process follows schedules.');
  const histograms = createHistograms(prefix, registers);

  const readActive = async (): Promise<void> => {
    const { counts } = await runs.countRuns({
      statuses: runStatus.all.filter(runStatus.isInQueue),
      workspaces: everywhere,
    });
    running.set(sum(counts, runStatus.isRunning));
    queued.set(sum(counts, runStatus.isQueued));
    for (const by of [runningByDag, queuedByDag]) by.reset();
    for (const { dagName: dag, status, count } of counts) {
      (runStatus.isRunning(status) ? runningByDag : queuedByDag).set({ dag }, count);
    }
  };

  const readToday = async (): Promise<void> => {
    const from = clock.now();
    from.setHours(0, 0, 0, 0);
    const { counts } = await runs.countRuns({ from, workspaces: everywhere });
    for (const by of [total, totalByDag]) by.reset();
    for (const { dagName: dag, status, count } of counts) {
      total.inc({ status }, count);
      totalByDag.set({ dag, status }, count);
    }
  };

  return async (): Promise<string> => {
    info.set({ version: dependencies.version, node_version: process.version }, 1);
    uptime.set(Math.floor((clock.now().getTime() - dependencies.startedAt.getTime()) / 1000));
    dags.set(dependencies.countDags());
    scheduler.set(Number(dependencies.isSchedulerRunning()));
    await Promise.all([readActive(), readToday()]);
    for (const run of await dependencies.readEndedRuns()) histograms.observe(run);
    return registry.metrics();
  };
}

function createHistograms(prefix: string, registers: Registry[]) {
  const duration = new Histogram({
    name: `${prefix}dag_run_duration_seconds`,
    help: 'Time from the start to the end of runs that this process has ended.',
    labelNames: ['dag'],
    buckets: [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600],
    registers,
  });
  const wait = new Histogram({
    name: `${prefix}queue_wait_seconds`,
    help: 'Time from the queueing to the start of those runs.',
    labelNames: ['dag'],
    buckets: [1, 5, 10, 30, 60, 120, 300, 600],
    registers,
  });
  return {
    observe: ({ dagName: dag, queuedAt, startedAt, finishedAt }: DagRunSummary): void => {
      if (startedAt !== null && finishedAt !== null) duration.observe({ dag }, secondsBetween(startedAt, finishedAt));
      if (startedAt !== null && queuedAt !== null) wait.observe({ dag }, secondsBetween(queuedAt, startedAt));
    },
  };
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / 1000;
}

function sum(counts: readonly RunCount[], matches: (status: RunCount['status']) => boolean): number {
  return counts.filter(({ status }) => matches(status)).reduce((all, { count }) => all + count, 0);
}
