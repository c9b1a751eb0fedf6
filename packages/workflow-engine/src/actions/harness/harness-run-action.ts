import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLogTail } from '../../host/logs/log-files';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { nodeStatus } from '../../model/statuses/node-status';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { publishValues } from '../call/publish-values';
import { harnessCalls, type HarnessCall } from './harness-call';

type Work = ActionWork<'harness.run'>;

type Copies = Work['call']['copies'];

const shownBytes = 4_096;

/**
 * Starts an external agent as a process of the step, and the next one while the call has failed. Only what a call that
 * succeeds has printed is printed by the step.
 */
export const harnessRun: ActionExecutor<'harness.run'> = (work) =>
  withPrivateFolder(work, async (folder) => {
    const calls = harnessCalls(work.settings, work.call.harnesses);
    for (const [index, call] of calls.entries()) {
      const next = calls[index + 1];
      const outcome = await attempt(work, call, { folder, index, isHeld: next !== undefined });
      if (nodeStatus.isSuccessful(outcome.status)) return { ...outcome, ...published(work, call, index + 1) };
      if (next === undefined || work.signal.aborted)
        return { ...outcome, error: `${call.name}: ${outcome.error ?? ''}` };
      const position = `attempt ${index + 1} of ${calls.length}`;
      work.log.note(
        `harness: ${call.name} has failed (${position}): ${outcome.error ?? ''}\nharness: next is ${next.name}`,
      );
    }
    return undefined;
  });

function published({ call }: Work, { name }: HarnessCall, attempts: number): Pick<StepOutcome, 'outputs'> {
  const { outputs } = publishValues({ provider: name, attempts }, call.maxOutputBytes);
  return outputs === undefined ? {} : { outputs };
}

interface Attempt {
  readonly folder: string;
  readonly index: number;
  /** Whether the output is printed only after a success, because another call may follow. */
  readonly isHeld: boolean;
}

async function attempt(work: Work, harness: HarnessCall, { folder, index, isHeld }: Attempt): Promise<StepOutcome> {
  const { call, services, signal, onStarted, log } = work;
  const { program, args, input } = harness;
  const stdinFile = input === undefined ? undefined : join(folder, `input-${index}`);
  if (stdinFile !== undefined) await writeFile(stdinFile, input ?? '', { mode: 0o600, flag: 'wx' });
  const held = isHeld ? join(folder, `answer-${index}`) : undefined;
  const streams = held === undefined ? {} : { stdoutFile: held, copies: withoutAnswer(call.copies) };
  const run = { kind: 'program', program, args } as const;
  const command = { ...call, ...streams, stdinFile, run, shell: [], isStepShell: false };
  const outcome = await services.commands.run(command, { signal, onStarted });
  if (held === undefined) return outcome;
  if (nodeStatus.isSuccessful(outcome.status)) {
    for await (const part of createReadStream(held)) log.out(part as Buffer);
  } else log.err(await readLogTail(held, 0, shownBytes).catch(() => ''));
  return outcome;
}

function withoutAnswer(copies: Copies): Copies {
  return copies?.stderrFile === undefined ? undefined : { stderrFile: copies.stderrFile };
}

/** For prompts and answers, which may hold secrets: readable by the owner only, and gone after the action. */
async function withPrivateFolder(
  { call }: Work,
  use: (folder: string) => Promise<StepOutcome | undefined>,
): Promise<StepOutcome | undefined> {
  const temporary = call.enclosure?.scriptsFolder ?? tmpdir();
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(temporary, 'weir-harness-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
