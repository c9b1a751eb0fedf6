import { splitShell } from '@weir/workflow-spec';
import type { StepOutcome } from '../../scope/step-ports';
import { connectEngine } from '../../container/connect-engine';
import type { MainProcess } from '../../container/container-options';
import { toOutcome, toFailureOutcome } from '../../container/container-outcome';
import { execInContainer } from '../../container/exec-in-container';
import {
  closeOrNote,
  createContainer,
  existingName,
  dagLabel,
  openContainer,
  runLabel,
} from '../../container/open-container';
import { runForeground } from '../../container/run-foreground';
import type { ActionExecutor } from '../action-executor';
import { actionFailed } from '../action-errors';
import type { ActionSettings } from '../action-settings';
import { defineExecutor, type ActionWork } from '../define-executor';

const defaultGraceMs = 5_000;

/** A command in a container of its own, or in one that runs already. */
export const dockerRun: ActionExecutor = defineExecutor(async (work) => {
  try {
    return await (isForeground(work.settings) ? foreground(work) : background(work));
  } catch (error) {
    return toFailureOutcome(error, work);
  }
});

/** Its first process is the command itself, unless something is said of what the container does meanwhile. */
function isForeground(settings: ActionSettings): boolean {
  const ofBackground = ['exec', 'startup', 'wait_for', 'log_pattern'];
  return existingName(settings) === undefined && !ofBackground.some((name) => settings.has(name));
}

async function foreground(work: ActionWork): Promise<StepOutcome> {
  const { settings, signal, call } = work;
  const policy = settings.text('restart_policy') ?? 'no';
  if (policy !== 'no') {
    throw actionFailed('restart_policy is for containers in the background. Use retry_policy of the step.');
  }
  const docker = await connectEngine(call.env);
  const open = await createContainer(docker, settings, { ...toOpenOptions(work), main: mainProcess(settings) });
  try {
    return toOutcome(await runForeground(open, stopping(work)), signal);
  } finally {
    await closeOrNote(open, work.log);
  }
}

async function background(work: ActionWork): Promise<StepOutcome> {
  const { settings, signal } = work;
  const argv = commandWords(settings);
  if (argv.length === 0) throw actionFailed('command is missing.');
  const startup = settings.text('startup');
  // The command is then what runs in the container, and not the container's own.
  const own = startup === undefined ? { startup: 'keepalive' } : { startup };
  const open = await openContainer(withText(settings, own), toOpenOptions(work));
  try {
    const { containerEnv } = toOpenOptions(work);
    const env = [...Object.entries(containerEnv).map(([name, value]) => `${name}=${value}`), ...settings.texts('env')];
    const command = { argv, env, workingDir: settings.text('working_dir') };
    return toOutcome(await execInContainer(open, command, stopping(work)), signal);
  } finally {
    await closeOrNote(open, work.log);
  }
}

function withText(settings: ActionSettings, over: Readonly<Record<string, string>>): ActionSettings {
  return {
    ...settings,
    has: (name) => name in over || settings.has(name),
    text: (name) => over[name] ?? settings.text(name),
  };
}

function toOpenOptions({ call, signal }: ActionWork) {
  const { cwd, env, containerEnv = {}, registryAuths } = call;
  const { WEIR_RUN_ID: runId = '', WEIR_DAG_NAME: dagName = '' } = env;
  const labels = { [dagLabel]: dagName, [runLabel]: runId };
  return { cwd, env, containerEnv, registryAuths, labels, signal };
}

function stopping({ call, signal, log }: ActionWork) {
  return { signal, log, stopSignal: call.stopSignal ?? 'SIGTERM', killGraceMs: call.killGraceMs ?? defaultGraceMs };
}

function mainProcess(settings: ActionSettings): MainProcess {
  const argv = commandWords(settings);
  if (argv.length === 0) return {};
  const [shell] = settings.texts('shell');
  return shell === undefined ? { Cmd: [...argv] } : { Entrypoint: [shell], Cmd: argv.slice(1) };
}

/** One text is split into argv, unless a shell does that; more than one are the argv. */
function commandWords(settings: ActionSettings): readonly string[] {
  const texts = settings.texts('command');
  const shell = settings.texts('shell');
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
