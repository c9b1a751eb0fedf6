import { isAppError } from '@weir/foundation';
import type { Dag } from '@weir/workflow-spec';
import type { Scope } from '@weir/workflow-spec/values';
import type { Logger } from '../../model/ports/logger';
import { composeRunMail, composeStepMail } from './compose-run-mail';
import { runMailKind } from './run-mail-kind';
import { createMailSender } from './send-mail';
import { systemTimer, type Timer } from '../../model/ports/timer';
import type { RunStatus } from '../../model/statuses/run-status';
import type { SendMail } from './mail';
import type { StepChange } from '../../model/steps/step-change';
import type { DagRun, DagRunStep } from '../../model/run-model/dag-run';
import type { RunStore } from '../../model/ports/run-store';
import { composeMail, type MailContent } from './compose-mail';
import type { RunLog } from '../logs/run-log';
import { nodeStatus } from '../../model/statuses/node-status';

export interface RunMailerOptions {
  /** Sends mail; by SMTP when missing. */
  readonly sendMail?: SendMail | undefined;
  readonly runs: Pick<RunStore, 'findById' | 'listSteps'>;
  readonly run: DagRun;
  readonly dag: Dag;
  /** The steps of the DAG as stored when the run was claimed; their log files are read. */
  readonly steps: readonly DagRunStep[];
  /** The scope that gives values to the references in addresses and in the mail server. */
  readonly scope: Scope;
  readonly log: Pick<RunLog, 'write'>;
  readonly logger: Logger;
  readonly timer?: Timer;
  /** The time by which mails may delay the end of a run; a minute when missing. */
  readonly limitMs?: number;
}

/**
 * Sends the mails that `mail_on` and `mail_on_error` ask for. Nothing here ever throws or rejects: a mail that is not
 * sent changes nothing about its run, whose log says why.
 */
export interface RunMailer {
  /** To be called with changes as they are stored, masked. Mails about steps are sent one after another while the run continues. */
  stepsChanged(changes: readonly StepChange[]): void;
  /** To be called once the end, or the wait, of the run is stored. Resolves when all its mails are sent or given up. */
  runEnded(status: RunStatus): Promise<void>;
}

/** More mails about steps would be a nuisance; the mail about the run lists all of them. */
const maxStepMails = 100;

const mailOnKey = { success: 'infoMail', failure: 'errorMail', wait: 'waitMail' } as const;

export function createRunMailer(options: RunMailerOptions): RunMailer {
  const { runs, run, dag, timer = systemTimer, limitMs = 60_000 } = options;
  const failedSteps = createFailedSteps(options);
  const limit = new AbortController();
  let tail: Promise<void> = Promise.resolve();
  let stepMails = 0;

  const queue = (content: () => Promise<MailContent>): void => {
    tail = tail.then(() => deliver(options, content, limit.signal));
  };
  const queueStep = (step: DagRunStep): void => {
    stepMails += 1;
    if (stepMails > maxStepMails) {
      if (stepMails === maxStepMails + 1) options.log.write('no more mails about steps', { limit: maxStepMails });
      return;
    }
    const compose: MailContent['compose'] = (more) => composeStepMail({ ...run, steps: [], ...more }, step);
    queue(() => Promise.resolve({ key: 'errorMail', steps: [step], compose }));
  };
  const queueRun = (key: MailContent['key'], status: RunStatus): void =>
    queue(async () => {
      const stored = (await runs.findById(run.id)) ?? run;
      const steps = await runs.listSteps(run.id);
      return { key, steps, compose: (more) => composeRunMail({ ...stored, steps, ...more }, status) };
    });

  return {
    stepsChanged: (changes) => failedSteps.filter(changes).forEach(queueStep),
    runEnded: async (status) => {
      const kind = runMailKind(status);
      if (kind !== undefined && dag.mailOn?.[kind] === true) queueRun(mailOnKey[kind], status);
      const cancel = timer.start(limitMs, () => limit.abort(new Error('The time for mails is over.')));
      await tail;
      cancel();
    },
  };
}

async function deliver(
  options: RunMailerOptions,
  read: () => Promise<MailContent>,
  signal: AbortSignal,
): Promise<void> {
  const { sendMail = createMailSender(), run, log, logger } = options;
  try {
    signal.throwIfAborted();
    const content = await read();
    const { server, mail, problem } = await composeMail(options, content);
    if (problem !== undefined) {
      log.write('mail not sent', { reason: problem });
      return;
    }
    await sendMail(server, mail, signal);
    log.write('mail sent', { mail: content.key });
  } catch (error) {
    // Any other message may contain an address or a path.
    const reason = isAppError(error) ? error.message : signal.aborted ? 'there was no more time' : 'internal error';
    log.write('mail not sent', { reason });
    logger.warn({ dagName: run.dagName, dagRunId: run.dagRunId, error }, 'a mail about a run is not sent');
  }
}

interface FailedStepsOptions {
  readonly dag: Dag;
  readonly steps: readonly DagRunStep[];
}

/** Picks the steps with `mail_on_error` whose last attempt failed, as they are stored then. */
function createFailedSteps({ dag, steps }: FailedStepsOptions) {
  const startedAt = new Map<number, Date>();
  const failed = (change: StepChange): readonly DagRunStep[] => {
    const { index, kind } = change;
    const step = steps[index];
    if (step === undefined || dag.steps[index]?.mailOnError !== true) return [];
    if (kind === 'starting' && !startedAt.has(index)) startedAt.set(index, change.at);
    if (kind !== 'ended' && kind !== 'not_started') return [];
    const { status, error = null } = kind === 'ended' ? change.outcome : change;
    if (!nodeStatus.isFailed(status)) return [];
    const started = startedAt.get(index) ?? step.startedAt;
    return [{ ...step, status, startedAt: started, finishedAt: change.at, error }];
  };
  return { filter: (changes: readonly StepChange[]) => changes.flatMap(failed) };
}
