import { failureText } from '../../local-command/failure-text';
import { isSuccessfulNode } from '../../statuses';
import type { StepOutcome } from '../../scope/step-ports';
import type { ActionCall, ActionExecutor } from '../action-executor';
import { actionFailed } from '../action-errors';
import type { ActionSettings } from '../action-settings';
import { defineExecutor, type ActionWork } from '../define-executor';
import { remoteCall, type RemoteText } from './remote-call';
import { runRemote, type RemoteExit } from './remote-process';
import { connectSsh, type SshConnection } from './ssh-connection';
import { sshRoute } from './ssh-target';

/** Those that the protocol has a name for. */
const remoteSignals = new Set(
  ['ABRT', 'ALRM', 'FPE', 'HUP', 'ILL', 'INT', 'KILL', 'PIPE', 'QUIT', 'SEGV', 'TERM', 'USR1', 'USR2'].map(
    (name) => `SIG${name}`,
  ),
);
const defaultGraceMs = 5_000;
const stderrTailBytes = 1024;

/** Commands or a script on another host, over one connection. */
export const sshRun: ActionExecutor = defineExecutor(async (work) => {
  const { call, settings, signal } = work;
  checkStopSignal(call);
  const texts = remoteTexts(call, settings);
  const connection = await connectSsh(await sshRoute(call, settings), signal);
  try {
    let outcome: StepOutcome = { status: 'succeeded' };
    for (const text of texts) {
      outcome = await runText(connection, text, work);
      if (!isSuccessfulNode(outcome.status)) break;
    }
    return outcome;
  } finally {
    connection.close();
  }
});

function remoteTexts(call: ActionCall, settings: ActionSettings): readonly RemoteText[] {
  const shell = settings.texts('shell');
  const env = call.stepEnv ?? {};
  const script = settings.text('script');
  if (script !== undefined) return [{ kind: 'script', text: script, shell, env }];
  return settings.texts('command').map((text) => ({ kind: 'command', text, shell, env }));
}

async function runText(connection: SshConnection, text: RemoteText, work: ActionWork): Promise<StepOutcome> {
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
  if (exit === undefined) return { status: 'aborted', error: 'run stopped, but the host did not tell that it ended' };
  const facts = toExitFields(exit);
  if (signal.aborted) return { ...facts, status: 'aborted', error: 'run stopped' };
  if (exit.exitCode === 0) return { ...facts, status: 'succeeded' };
  return { ...facts, status: 'failed', error: failureText(exit, tail.toString('utf8').replace(/^\uFFFD+/, '')) };
}

function toExitFields({ exitCode, signal }: RemoteExit): Pick<StepOutcome, 'exitCode' | 'signal'> {
  return { ...(exitCode === null ? {} : { exitCode }), ...(signal === null ? {} : { signal }) };
}

function checkStopSignal({ stopSignal = 'SIGTERM' }: ActionCall): string {
  if (!remoteSignals.has(stopSignal)) throw actionFailed(`A command on another host cannot be sent ${stopSignal}.`);
  return stopSignal;
}
