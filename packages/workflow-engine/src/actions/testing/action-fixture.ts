import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, MailServer } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import { evaluateOutputs } from '../../values/outputs/evaluate-outputs';
import { createLogLimit } from '../../host/logs/log-limit';
import type { LogLimits } from '../../model/ports/log-limits';
import type { ProcessIdentity, StepOutcome } from '../../model/steps/step-outcome';
import { createLocalCommandExecutor } from '../../host/local-command/local-command-executor';
import type { ActionCall, ActionServices } from '../call/action-executor';
import { executeAction } from '../execute-action';

export interface Ran {
  readonly outcome: StepOutcome;
  readonly stdout: string;
  readonly stderr: string;
  readonly started: readonly ProcessIdentity[];
}

/** A temporary folder in which actions really run. */
export interface ActionFixture {
  readonly folder: string;
  path(name: string): string;
  run(action: ExecutableActionName, settings: JsonObject, options?: RunOptions): Promise<Ran>;
  remove(): Promise<void>;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly maxOutputBytes?: number;
  readonly mailServer?: MailServer;
  readonly mailAccount?: ActionCall['mailAccount'];
  readonly artifactsDir?: string;
  readonly stepName?: string;
  readonly outputSchema?: JsonObject;
  readonly logLimits?: LogLimits;
  /** More variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its own by default. */
  readonly stdoutFile?: string;
  /** The folder of the fixture by default. */
  readonly cwd?: string;
}

let calls = 0;

export async function actionFixture(dependencies: Partial<ActionServices> = {}): Promise<ActionFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-actions-'));
  const clock = { now: () => new Date() };
  const commands = createLocalCommandExecutor({ clock, killGraceMs: 500 });
  const services = { clock, commands, evaluate, ...dependencies };
  return {
    folder,
    path: (name) => join(folder, name),
    run: async (action, settings, options = {}) => {
      const { signal = new AbortController().signal, maxOutputBytes = 1_000_000, mailServer, logLimits } = options;
      calls += 1;
      const { stdoutFile = join(folder, 'logs', `${calls}.out`), cwd = folder } = options;
      const stderrFile = join(folder, 'logs', `${calls}.err`);
      const started: ProcessIdentity[] = [];
      const env = {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: join(folder, 'home'),
        GREETING: 'hello',
        ...options.env,
      };
      const logLimit = logLimits && createLogLimit(logLimits, join(folder, 'logs'));
      const log = { stdoutFile, stderrFile, logLimit };
      const { mailAccount, artifactsDir, stepName, outputSchema } = options;
      const more = { maxOutputBytes, mailServer, mailAccount, artifactsDir, stepName, outputSchema };
      const call = { action, with: settings, cwd, env, ...log, ...more };
      const context = { signal, onStarted: (process: ProcessIdentity) => void started.push(process) };
      const outcome = await executeAction(call, context, services);
      return { outcome, stdout: await readLog(stdoutFile), stderr: await readLog(stderrFile), started };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Replaces jq, which needs a thread. Knows `.` and `.[]` only; the specs of the server use the real one. */
const evaluate: ActionServices['evaluate'] = (request) =>
  Promise.resolve(
    evaluateOutputs(request, (expression, value) => {
      if (expression === '[.\n]') return [[value]];
      if (expression === '[.[]\n]') return [value];
      throw new Error('no jq');
    }),
  );

function readLog(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
