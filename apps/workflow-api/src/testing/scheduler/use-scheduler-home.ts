import { createManualClock, type ManualClock } from '@weir/test-kit';
import { unaudited } from '../../access/audited-operation';
import { createTestWorkflow, type TestWorkflow } from '../workflow-api';
import { createInMemoryDagRunRepository, type DagRunRepository } from '../../features/runs';
import { createInMemoryDagFlagRepository } from '../../features/dags';
import { createInMemorySchedulerStateRepository } from '../../features/scheduler/in-memory-scheduler-state-repository';
import type { SchedulerStateRepository } from '../../features/scheduler/scheduler-state-repository';

export const steps = 'steps:\n  - run: "true"\n';
export const everywhere = { unassigned: true, named: 'all' } as const;

/** The stores of a home folder, on which one scheduler after another can work. */
interface Home {
  readonly clock: ManualClock;
  readonly stores: {
    readonly runs: DagRunRepository;
    readonly flags: ReturnType<typeof createInMemoryDagFlagRepository>;
    readonly schedulerState: SchedulerStateRepository;
  };
}

interface ListedRun {
  readonly occurrence: string | undefined;
  readonly triggerType: string;
  readonly status: string;
  readonly dagRunId: string;
}

/** The home folder of the present case. */
export interface SchedulerHomeInUse extends Home {
  /** Replaces the home folder by an empty one whose clock shows this time. */
  readonly moveTo: (start: string) => void;
  /** Opens a scheduler whose ticks the spec performs. Runs stay queued unless the spec ends them. */
  readonly open: (dags: Readonly<Record<string, string>>, at?: Home) => Promise<TestWorkflow>;
  readonly stopAfterCase: (test: TestWorkflow) => void;
  readonly tickAt: (test: TestWorkflow, time: string) => Promise<void>;
  readonly listRuns: (dagName: string) => Promise<readonly ListedRun[]>;
  readonly listOccurrences: (dagName: string) => Promise<readonly (string | undefined)[]>;
  readonly endAll: (dagName: string) => Promise<void>;
}

/** Gives each case of the file a home folder of its own. */
export function useSchedulerHome(): SchedulerHomeInUse {
  let opened: TestWorkflow[];
  let home: Home;

  beforeEach(() => {
    opened = [];
    home = aHome('2026-06-01T12:00:30Z');
  });
  afterEach(() => Promise.all(opened.map((test) => test.stop())));

  const listRuns = (dagName: string) => listRunsOf(home, dagName);
  return {
    get clock() {
      return home.clock;
    },
    get stores() {
      return home.stores;
    },
    moveTo: (start) => {
      home = aHome(start);
    },
    open: async (dags, { clock, stores } = home) => {
      const test = await createTestWorkflow({ clock, platform: stores, config: { timeZone: 'UTC' } });
      opened.push(test);
      await test.application.files.catalog.ready();
      await test.application.scheduler.prepare();
      for (const [name, text] of Object.entries(dags)) await test.addDag(name, `${text}\n${steps}`);
      await test.application.scheduler.tick();
      return test;
    },
    stopAfterCase: (test) => {
      opened.push(test);
    },
    tickAt: async (test, time) => {
      home.clock.set(`2026-06-01T${time}Z`);
      await test.application.scheduler.tick();
    },
    listRuns,
    listOccurrences: async (dagName) => (await listRuns(dagName)).map(({ occurrence }) => occurrence),
    endAll: (dagName) => endAllOf(home, dagName),
  };
}

function aHome(start: string): Home {
  return {
    clock: createManualClock(start),
    stores: {
      runs: createInMemoryDagRunRepository(),
      flags: createInMemoryDagFlagRepository(),
      schedulerState: createInMemorySchedulerStateRepository(),
    },
  };
}

async function listRunsOf({ stores }: Home, dagName: string): Promise<readonly ListedRun[]> {
  const found = await stores.runs.scan({ dagName, workspaces: everywhere, limit: 2000 });
  return found
    .map(({ scheduleTime, triggerType, status, dagRunId }) => ({
      occurrence: scheduleTime?.toISOString().slice(11, 16),
      triggerType,
      status,
      dagRunId,
    }))
    .sort((left, right) => (left.occurrence ?? '').localeCompare(right.occurrence ?? ''));
}

async function endAllOf({ clock, stores }: Home, dagName: string): Promise<void> {
  for (const run of await stores.runs.scan({ dagName, workspaces: everywhere, limit: 2000 })) {
    await stores.runs.commit(
      run.id,
      { kind: 'dequeue_requested', at: clock.now(), error: 'ended by the spec' },
      { audit: unaudited },
    );
  }
}
