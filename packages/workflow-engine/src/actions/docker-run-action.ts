import type { SettingsFor } from '@weir/workflow-spec/actions';
import { splitShell } from '@weir/workflow-spec/values';
import type { StepOutcome } from '../model/steps/step-outcome';
import { connectEngine } from '../host/container/connect-engine';
import { requireImage } from '../host/container/container-settings';
import type { MainProcess } from '../host/container/container-options';
import { toOutcome, toFailureOutcome } from '../host/container/container-outcome';
import { withEnvFiles } from '../host/container/env-files';
import { execInContainer } from '../host/container/exec-in-container';
import {
  closeOrNote,
  createContainer,
  existingName,
  dagLabel,
  openContainer,
  runLabel,
} from '../host/container/open-container';
import { runForeground } from '../host/container/run-foreground';
import type { ActionContext, ActionExecutor, ActionWork } from './call/action-executor';
import { actionFailed } from '../model/steps/action-errors';

const defaultGraceMs = 5_000;

type Settings = SettingsFor<'docker.run'>;
type Work = ActionWork<'docker.run'>;

/** Runs a command in a new container, or in one that is already running. */
export const dockerRun: ActionExecutor<'docker.run'> = async (work) => {
  try {
    const settings = await withEnvFiles(work.settings, work.call);
    return await (isForeground(settings) ? foreground : background)({ ...work, settings });
  } catch (error) {
    return toFailureOutcome(error, work);
  }
};

/** The command is the main process of the container, unless the settings say what the container runs. */
function isForeground(settings: Settings): boolean {
  const { exec, startup, wait_for: readiness, log_pattern: pattern } = settings;
  const isOther = [exec, startup, readiness, pattern].some((setting) => setting !== undefined);
  return existingName(settings) === undefined && !isOther;
}

async function foreground(work: Work): Promise<StepOutcome> {
  const { settings, signal, call } = work;
  const policy = settings.restart_policy ?? 'no';
  if (policy !== 'no') {
    throw actionFailed('restart_policy is for containers in the background. Use retry_policy of the step.');
  }
  const docker = await connectEngine(call.env);
  const open = await createContainer(docker, requireImage(settings), {
    ...toOpenOptions(work),
    main: mainProcess(settings),
  });
  try {
    return toOutcome(await runForeground(open, stopping(work)), signal);
  } finally {
    await closeOrNote(open, work.log);
  }
}

async function background(work: Work): Promise<StepOutcome> {
  const { settings, signal } = work;
  const argv = commandWords(settings);
  if (argv.length === 0) throw actionFailed('command is missing.');
  // The command is executed inside the running container and is not its main process.
  const open = await openContainer({ ...settings, startup: settings.startup ?? 'keepalive' }, toOpenOptions(work));
  try {
    const { containerEnv } = toOpenOptions(work);
    const env = [...Object.entries(containerEnv).map(([name, value]) => `${name}=${value}`), ...(settings.env ?? [])];
    const command = { argv, env, workingDir: settings.working_dir };
    return toOutcome(await execInContainer(open, command, stopping(work)), signal);
  } finally {
    await closeOrNote(open, work.log);
  }
}

function toOpenOptions({ call, signal }: ActionContext) {
  const { cwd, env, containerEnv = {}, registryAuths } = call;
  const { WEIR_RUN_ID: runId = '', WEIR_DAG_NAME: dagName = '' } = env;
  const labels = { [dagLabel]: dagName, [runLabel]: runId };
  return { cwd, env, containerEnv, registryAuths, labels, signal };
}

function stopping({ call, signal, log }: ActionContext) {
  return { signal, log, stopSignal: call.stopSignal ?? 'SIGTERM', killGraceMs: call.killGraceMs ?? defaultGraceMs };
}

function mainProcess(settings: Settings): MainProcess {
  const argv = commandWords(settings);
  if (argv.length === 0) return {};
  const [shell] = settings.shell ?? [];
  return shell === undefined ? { Cmd: [...argv] } : { Entrypoint: [shell], Cmd: argv.slice(1) };
}

/** A single string is split into words unless a shell does that; several strings are the words themselves. */
function commandWords(settings: Settings): readonly string[] {
  const texts = settings.command ?? [];
  const shell = settings.shell ?? [];
  if (texts.length === 0) return [];
  if (shell.length > 0) {
    const takesCommand = /^-[A-Za-z]*c$/.test(shell.at(-1) ?? '');
    return [...shell, ...(takesCommand ? [] : ['-c']), texts.join(' ')];
  }
  const [only = ''] = texts;
  if (texts.length > 1) return texts;
  return splitShell(only) ?? unclosedQuote();
}

function unclosedQuote(): never {
  throw actionFailed('command has a quote that is not closed.');
}
