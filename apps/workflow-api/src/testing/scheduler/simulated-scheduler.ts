import { createRecordingLogger } from '@weir/test-kit';
import type { Clock } from '@weir/workflow-engine/model';
import { createTestWorkflow, type TestWorkflow } from '../workflow-api';
import type { DagRunRepository } from '../../features/runs';
import type { DagFlagRepository } from '../../features/dags';
import type { SchedulerStateRepository } from '../../features/scheduler/scheduler-state-repository';

export interface SharedStores {
  readonly runs: DagRunRepository;
  readonly flags: DagFlagRepository;
  readonly schedulerState: SchedulerStateRepository;
}

/** A scheduler of the application that can be killed at any of its calls to the stores. */
export interface SimulatedScheduler {
  /** `failed` means that an occurrence could not be settled, as when the database took too long. */
  tick(): Promise<'done' | 'failed' | 'killed'>;
  /** Kills it at this call of its next tick: before the call is stored, or after that and before its answer. */
  killAt(call: number, isStored: boolean): void;
  /** Prevents it from storing anything more. */
  remove(): Promise<void>;
}

export interface SimulatedSchedulerOptions {
  readonly stores: SharedStores;
  readonly clock: Clock;
  readonly dags: Readonly<Record<string, string>>;
}

export async function startSimulatedScheduler(options: SimulatedSchedulerOptions): Promise<SimulatedScheduler> {
  const life = createLife();
  const stores = {
    runs: life.guard(options.stores.runs),
    flags: life.guard(options.stores.flags),
    schedulerState: life.guard(options.stores.schedulerState),
  };
  const logger = createRecordingLogger();
  const test: TestWorkflow = await createTestWorkflow({
    clock: options.clock,
    platform: stores,
    config: { timeZone: 'UTC' },
    isStarted: false,
    options: { logger },
  });
  const { scheduler, files } = test.application;
  await scheduler.prepare();
  for (const [name, text] of Object.entries(options.dags)) await test.addDag(name, text);
  await files.catalog.start();
  await files.catalog.ready();
  return {
    tick: async () => {
      life.begin();
      const before = logger.messages('error').length;
      // Nobody sees the failure of a killed scheduler.
      await scheduler.tick().catch((error: unknown) => {
        if (!life.isOver()) throw error;
      });
      if (life.isOver()) return 'killed';
      return logger.messages('error').length > before ? 'failed' : 'done';
    },
    killAt: (call, isStored) => life.endAt(call, isStored),
    remove: async () => {
      life.end();
      await test.stop();
    },
  };
}

type AnyCall = (...values: readonly unknown[]) => unknown;

/** Counts the calls of guarded stores, and rejects those after the end of the life. */
function createLife() {
  let calls = 0;
  let last: { readonly call: number; readonly isStored: boolean } | undefined;
  let isOver = false;
  const killed = (): Promise<never> => Promise.reject(new Error('This scheduler was killed.'));
  const guarded = (call: AnyCall, values: readonly unknown[]): unknown => {
    if (isOver) return killed();
    calls += 1;
    if (calls !== last?.call) return call(...values);
    isOver = true;
    return last.isStored ? Promise.resolve(call(...values)).then(killed) : killed();
  };
  return {
    begin: () => void (calls = 0),
    endAt: (call: number, isStored: boolean) => void (last = { call, isStored }),
    end: () => void (isOver = true),
    isOver: () => isOver,
    guard: <T extends object>(store: T): T =>
      new Proxy(store, {
        get: (target, name, receiver) => {
          const found: unknown = Reflect.get(target, name, receiver);
          if (typeof found !== 'function' || name === 'subscribe') return found;
          return (...values: readonly unknown[]) => guarded(found as AnyCall, values);
        },
      }),
  };
}
