import { signalledExitCode } from '../../host/local-command/command-outcome';
import { failureText } from '../../host/local-command/failure-text';
import { nodeStatus } from '../../model/statuses/node-status';
import type { StepOutcome } from '../../model/steps/step-outcome';
import type { ActionCall, ActionExecutor, ActionWork } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { remoteCall, type RemoteText } from './remote-call';
import { runRemote, type RemoteExit } from './remote-process';
import { connectSsh, type SshConnection } from './ssh-connection';
import { sshRoute } from './ssh-target';

/** Signals that the protocol has names for. */
const remoteSignals = new Set(
  ['ABRT', 'ALRM', 'FPE', 'HUP', 'ILL', 'INT', 'KILL', 'PIPE', 'QUIT', 'SEGV', 'TERM', 'USR1', 'USR2'].map(
    (name) => `SIG${name}`,
  ),
);
const defaultGraceMs = 5_000;
const stderrTailBytes = 1024;

type Work = ActionWork<'ssh.run'>;

/** Runs commands or a script on another host over one connection. */
export const sshRun: ActionExecutor<'ssh.run'> = async (work) => {
  const { call, settings, signal } = work;
  checkStopSignal(call);
  const texts = remoteTexts(work);
  const connection = await connectSsh(await sshRoute(call, settings), signal);
  try {
    let outcome: StepOutcome = { status: 'succeeded' };
    for (const text of texts) {
      outcome = await runText(connection, text, work);
      if (!nodeStatus.isSuccessful(outcome.status)) break;
    }
    return outcome;
  } finally {
    connection.close();
  }
};

function remoteTexts({ call, settings }: Work): readonly RemoteText[] {
  const { script, command = [], shell = [] } = settings;
  const env = call.stepEnv ?? {};
  if (script !== undefined) return [{ kind: 'script', text: script, shell, env }];
  return command.map((text) => ({ kind: 'command', text, shell, env }));
}

async function runText(connection: SshConnection, text: RemoteText, work: Work): Promise<StepOutcome> {
  const { call, log, signal } = work;
  let tail = Buffer.alloc(0);
  const exit = await runRemote(connection, remoteCall(text), {
    signal,
    stopSignal: checkStopSignal(call),
    killGraceMs: call.killGraceMs ?? defaultGraceMs,
    onStdout: (part) => log.out(part),
    onStderr: (part) => {
      log.err(part);
      tail = Buffer.concat([tail, part]).subarray(-stderrTailBytes);
    },
  });
  if (exit === undefined) return { status: 'aborted', error: 'run stopped, but the host did not report the end' };
  const exitFields = toExitFields(exit);
  if (signal.aborted) return { ...exitFields, status: 'aborted', error: 'run stopped' };
  if (exit.exitCode === 0) return { ...exitFields, status: 'succeeded' };
  return { ...exitFields, status: 'failed', error: failureText(exit, tail.toString('utf8').replace(/^\uFFFD+/, '')) };
}

function toExitFields({ exitCode, signal }: RemoteExit): Pick<StepOutcome, 'exitCode' | 'signal'> {
  if (signal !== null) return { exitCode: signalledExitCode, signal };
  return exitCode === null ? {} : { exitCode };
}

function checkStopSignal({ stopSignal = 'SIGTERM' }: ActionCall): string {
  if (!remoteSignals.has(stopSignal))
    throw actionFailed(`The signal ${stopSignal} cannot be sent to a command on another host.`);
  return stopSignal;
}
