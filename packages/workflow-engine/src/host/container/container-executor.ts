import { untilAborted } from '@weir/foundation';
import type { JsonObject } from '@weir/workflow-spec';
import type { Enclosure } from '../../model/ports/step-isolation';
import type { Clock } from '../../model/ports/clock';
import { nodeStatus } from '../../model/statuses/node-status';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { logLimitOutcome } from '../local-command/command-outcome';
import type { CommandContext } from '../local-command/step-command';
import { openActionLog, type ActionLog, type ActionLogFiles } from '../logs/action-log';
import { containerCalls, type ContainerWork } from './container-command';
import type { ContainerContext } from './container-options';
import { toOutcome, toFailureOutcome } from './container-outcome';
import { withEnvFiles } from './env-files';
import { execInContainer } from './exec-in-container';
import { closeOrNote, dagLabel, openContainer, runLabel, type OpenContainer } from './open-container';
import { readContainerSettings } from './container-settings';
import type { RegistryAuths } from './registry-sign-in';

/** The commands or the script of a step that are executed in a container, with their references replaced. */
export interface ContainerStep extends ContainerWork, ActionLogFiles, Omit<ContainerContext, 'labels'> {
  /** All paths are open when missing. */
  readonly enclosure?: Enclosure | undefined;
  /** Working folder in the container; default: that of the container. */
  readonly workingDir?: string | undefined;
  readonly stopSignal?: string | undefined;
  readonly killGraceMs?: number | undefined;
}

/** A container and the run that uses it. */
export interface ContainerSource {
  /** In canonical form, with every reference replaced. */
  readonly settings: JsonObject;
  readonly registryAuths?: RegistryAuths | undefined;
  readonly dagName: string;
  readonly runId: string;
  readonly clock: Pick<Clock, 'now'>;
}

export interface ContainerStepExecutor {
  /** Reports every expected failure as an outcome; settles in bounded time after the signal is aborted. */
  execute(step: ContainerStep, context: Pick<CommandContext, 'signal'>): Promise<StepOutcome>;
}

const defaultGraceMs = 5_000;

/** Executes steps, each in a new container that is removed afterwards unless `keep_container` is set. */
export function createContainerExecutor(source: ContainerSource): ContainerStepExecutor {
  return {
    execute: (step, { signal: stop }) =>
      withLog(step, { signal: stop, clock: source.clock }, async ({ log, signal }) => {
        const open = await openFor(source, step, signal);
        try {
          return await runStep(open, step, { signal, log });
        } finally {
          await closeOrNote(open, log);
        }
      }),
  };
}

export interface RunContainer {
  readonly executor: ContainerStepExecutor;
  /** Removes the container unless `keep_container` is set. Never rejects. */
  close(): Promise<void>;
}

/** One container for all steps of a run, created for the first of them and removed by `close`. */
export function openRunContainer(source: ContainerSource): RunContainer {
  const lifetime = new AbortController();
  let opening: Promise<OpenContainer> | undefined;
  const open = (step: ContainerStep): Promise<OpenContainer> => {
    opening ??= openFor(source, step, lifetime.signal);
    // A later step retries: the image may be available by then.
    opening.catch(() => (opening = undefined));
    return opening;
  };
  return {
    executor: {
      execute: (step, { signal: stop }) =>
        withLog(step, { signal: stop, clock: source.clock }, async ({ log, signal }) =>
          runStep(await untilAborted(open(step), signal), step, { signal, log }),
        ),
    },
    close: async () => {
      lifetime.abort();
      // The step that opened it has reported the failure.
      const container = await opening?.catch(() => undefined);
      await container?.close();
    },
  };
}

interface StepRun {
  readonly signal: AbortSignal;
  readonly log: ActionLog;
}

async function withLog(
  step: ContainerStep,
  { signal, clock }: Pick<CommandContext, 'signal'> & Pick<ContainerSource, 'clock'>,
  work: (run: StepRun) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  if (signal.aborted) return { status: 'aborted', error: 'run stopped' };
  const log = openActionLog(step, clock);
  const isExceeded = (): boolean => log.exceeded.aborted && !signal.aborted;
  let outcome: StepOutcome;
  try {
    outcome = await work({ log, signal: AbortSignal.any([signal, log.exceeded]) });
  } catch (error) {
    outcome = toFailureOutcome(error, { signal, log });
  } finally {
    log.close();
  }
  return isExceeded() ? logLimitOutcome : outcome;
}

async function openFor(source: ContainerSource, step: ContainerStep, signal: AbortSignal): Promise<OpenContainer> {
  const settings = await withEnvFiles(readContainerSettings(source.settings), step);
  return openContainer(settings, toOpenOptions(source, step, signal));
}

function toOpenOptions({ registryAuths, runId, dagName }: ContainerSource, step: ContainerStep, signal: AbortSignal) {
  const { cwd, env, containerEnv } = step;
  return { cwd, env, containerEnv, registryAuths, labels: { [dagLabel]: dagName, [runLabel]: runId }, signal };
}

async function runStep(open: OpenContainer, step: ContainerStep, { signal, log }: StepRun): Promise<StepOutcome> {
  const { containerEnv, workingDir, stopSignal = 'SIGTERM', killGraceMs = defaultGraceMs } = step;
  const own = open.settings.shell ?? [];
  const shell = step.isStepShell || own.length === 0 ? step : { ...step, shell: own, isStepShell: true };
  const env = [
    ...Object.entries(containerEnv).map(([name, value]) => `${name}=${value}`),
    ...(open.settings.env ?? []),
  ];
  let outcome: StepOutcome = { status: 'succeeded' };
  for (const call of containerCalls(shell)) {
    const command = { ...call, env, workingDir: workingDir ?? open.settings.working_dir };
    const end = await execInContainer(open, command, { signal, log, stopSignal, killGraceMs });
    outcome = toOutcome(end, signal);
    if (!nodeStatus.isSuccessful(outcome.status)) break;
  }
  return outcome;
}
