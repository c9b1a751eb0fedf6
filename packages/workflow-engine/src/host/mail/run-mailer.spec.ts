import { truncate, writeFile } from 'node:fs/promises';
import {
  createRecordingLogger,
  startMailServer,
  temporaryFolder,
  waitFor,
  type MailServerOptions,
  type TemporaryFolder,
  type TestMailServer,
} from '@weir/test-kit';
import { createMailSender } from './send-mail';
import type { StepChange } from '../../model/steps/step-change';
import type { Timer } from '../../model/ports/timer';
import type { DagRun, DagRunStep } from '../../model/run-model/dag-run';
import { parseDag } from '@weir/workflow-spec';
import { aRun, aRunStep } from '../../testing/run-builders';
import { createRunMailer, type RunMailerOptions } from './run-mailer';

const at = new Date('2026-01-02T03:04:05.000Z');
const account = { user: 'weir', password: 'hunter2' };
const failed = { status: 'failed', error: 'exit status 3: no <room>' } as const;

let folder: TemporaryFolder;
let server: TestMailServer;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => Promise.all([folder.remove(), server.close()]));

const settings = (more = '') => `
smtp: {host: 127.0.0.1, port: '\${PORT}', username: weir, password: '\${SECRET}'}
info_mail: {from: weir@example.org, to: [info@example.org, 'b@example.org']}
error_mail: {from: weir@example.org, to: '\${params.WHO}', prefix: '[ops]'${more}}
wait_mail: {from: weir@example.org, to: wait@example.org}
`;
const all = 'mail_on: {success: true, failure: true, wait: true}\n';
const twoSteps = 'steps:\n  - {name: load, run: x, mail_on_error: true}\n  - {name: copy, run: x}\n';

interface Opened {
  readonly server?: MailServerOptions;
  readonly spec?: string;
  readonly run?: Partial<DagRun>;
  readonly steps?: readonly DagRunStep[];
  readonly options?: Partial<RunMailerOptions>;
}

async function open(opened: Opened = {}) {
  server = await startMailServer({ account, ...opened.server });
  const { dag } = parseDag(opened.spec ?? `${all}${settings()}${twoSteps}`, { name: 'nightly' });
  const run = aRun({ startedAt: at, finishedAt: at, ...opened.run });
  const steps = opened.steps ?? dag.steps.map(({ name }, position) => aRunStep({ position, name }));
  const lines: string[] = [];
  const logger = createRecordingLogger();
  const mailer = createRunMailer({
    sendMail: createMailSender(),
    runs: { findById: () => Promise.resolve(run), listSteps: () => Promise.resolve(steps) },
    run,
    dag,
    steps,
    scope: {
      params: new Map([['WHO', 'ops@example.org']]),
      env: new Map([
        ['PORT', String(server.port)],
        ['SECRET', 'hunter2'],
      ]),
    },
    log: { write: (message, fields) => void lines.push(`${message} ${JSON.stringify(fields)}`) },
    logger,
    ...opened.options,
  });
  return { mailer, lines, logger };
}

const ended = (index: number, outcome: Extract<StepChange, { kind: 'ended' }>['outcome']): StepChange => ({
  kind: 'ended',
  index,
  stepName: '',
  attempt: 1,
  at,
  outcome,
  continues: false,
});

describe('the mail about a run', () => {
  it.each([
    ['succeeded', 'infoMail', ['info@example.org', 'b@example.org'], 'nightly (succeeded)'],
    ['partially_succeeded', 'infoMail', ['info@example.org', 'b@example.org'], 'nightly (partially succeeded)'],
    ['failed', 'errorMail', ['ops@example.org'], '[ops] nightly (failed)'],
    ['rejected', 'errorMail', ['ops@example.org'], '[ops] nightly (rejected)'],
    ['waiting', 'waitMail', ['wait@example.org'], 'nightly (waiting)'],
  ] as const)('is sent for %s by %s', async (status, mail, to, subject) => {
    const { mailer, lines } = await open();
    await mailer.runEnded(status);

    expect(server.mails).toMatchObject([{ from: 'weir@example.org', to, subject, user: 'weir', attachments: [] }]);
    expect(server.mails[0]?.html).toMatch(/<td[^>]*>copy<\/td>/);
    expect(server.mails[0]?.text).toContain('- copy: not started');
    expect(lines).toEqual([`mail sent ${JSON.stringify({ mail })}`]);
  });

  it.each([
    ['that somebody stopped', 'aborted', all],
    ['whose end has no mail', 'failed', 'mail_on: {success: true}\n'],
    ['that asks for none', 'failed', ''],
  ] as const)('is not sent for one %s', async (_, status, mailOn) => {
    const { mailer, lines } = await open({ spec: `${mailOn}${settings()}${twoSteps}` });
    await mailer.runEnded(status);

    expect(server.connectionCount()).toBe(0);
    expect(lines).toEqual([]);
  });

  it.each([
    ['mail_on: {failure: true}\nsmtp: {host: x}\n', 'the DAG has no error_mail'],
    ['mail_on: {failure: true}\nerror_mail: {from: a@b, to: a@b}\n', 'the DAG has no smtp'],
  ])('is noted as not sent in the log of the run when the DAG lacks mail settings', async (head, reason) => {
    const { mailer, lines } = await open({ spec: `${head}${twoSteps}` });
    await mailer.runEnded('failed');
    expect(lines).toEqual([`mail not sent ${JSON.stringify({ reason })}`]);
  });

  it('shows names and errors as text', async () => {
    const steps = [aRunStep({ name: '<script>alert(1)</script>', status: 'failed', error: '<img src=x>' })];
    const { mailer } = await open({ steps });
    await mailer.runEnded('failed');

    expect(server.mails[0]?.html).not.toMatch(/<script|<img/);
    expect(server.mails[0]?.html).toContain('&lt;img src=x&gt;');
  });
});

describe('a mail that cannot be sent', () => {
  it('is reported in both logs, without the account', async () => {
    const { mailer, lines, logger } = await open({ server: { account: { user: 'weir', password: 'other' } } });
    await mailer.runEnded('failed');

    expect(lines).toEqual(['mail not sent {"reason":"The mail server rejected the credentials (EAUTH, 535)."}']);
    expect(logger.entries).toMatchObject([{ level: 'warn' }]);
    const logged = logger.entries.map(({ fields }) => String(fields.error)).join();
    expect(logged).not.toContain('hunter2');
  });

  it('does not prevent the next one', async () => {
    const { mailer, lines } = await open({ server: { refused: ['ops@example.org'] } });
    mailer.stepsChanged([ended(0, failed)]);
    await mailer.runEnded('succeeded');

    expect(server.mails).toMatchObject([{ subject: 'nightly (succeeded)' }]);
    expect(lines[0]).toContain('EENVELOPE, 550');
  });

  it('delays its run for a limited time', async () => {
    let due: () => void = () => undefined;
    const timer: Timer = {
      start: (afterMs, call) => {
        expect(afterMs).toBe(5_000);
        due = call;
        return () => undefined;
      },
    };
    const { mailer, lines } = await open({ server: { silentAt: 'greeting' }, options: { timer, limitMs: 5_000 } });
    mailer.stepsChanged([ended(0, failed)]);
    const over = mailer.runEnded('failed');
    await waitFor(() => server.connectionCount() === 1, { what: 'the connection' });
    due();
    await over;

    // The second one was not even begun.
    expect(lines).toEqual(Array(2).fill('mail not sent {"reason":"there was no more time"}'));
    expect(server.connectionCount()).toBe(1);
  });

  it('does no harm when the run cannot be read', async () => {
    const runs = { findById: () => Promise.reject(new Error('disk hunter2')), listSteps: () => Promise.resolve([]) };
    const { mailer, lines } = await open({ options: { runs } });
    await mailer.runEnded('failed');
    expect(lines).toEqual(['mail not sent {"reason":"internal error"}']);
  });
});

describe('the mail about a step', () => {
  it('is sent once its last attempt has failed, for steps that ask for it', async () => {
    const { mailer } = await open({ spec: `${settings()}${twoSteps}` });
    const starting = { kind: 'starting', index: 0, stepName: 'load', attempt: 1, retryCount: 0, at } as const;
    mailer.stepsChanged([
      starting,
      { kind: 'retrying', index: 0, stepName: 'load', attempt: 1, at, outcome: failed, afterMs: 0 },
      { ...starting, attempt: 2, at: new Date() },
    ]);
    mailer.stepsChanged([ended(0, failed), ended(1, failed)]);
    await mailer.runEnded('failed');

    expect(server.mails).toMatchObject([{ to: ['ops@example.org'], subject: '[ops] nightly: load (failed)' }]);
    expect(server.mails[0]?.text).toContain('  2026-01-02T03:04:05.000Z to 2026-01-02T03:04:05.000Z');
    expect(server.mails[0]?.text).toContain('exit status 3: no <room>');
  });

  it.each([
    ['succeeded', 0],
    ['aborted', 0],
    ['failed', 1],
  ] as const)('is sent for %s %i times', async (status, count) => {
    const { mailer } = await open({ spec: `${settings()}${twoSteps}` });
    mailer.stepsChanged([ended(0, { status })]);
    await mailer.runEnded('failed');
    expect(server.mails).toHaveLength(count);
  });

  it('is sent when the preconditions of the step could not be checked, and not when they do not hold', async () => {
    const { mailer } = await open({ spec: `${settings()}${twoSteps}` });
    const change = { kind: 'not_started', index: 0, stepName: 'load', at, error: 'a condition is wrong' } as const;
    mailer.stepsChanged([{ ...change, status: 'skipped' }]);
    mailer.stepsChanged([{ ...change, status: 'failed' }]);
    await mailer.runEnded('failed');
    expect(server.mails).toHaveLength(1);
  });

  it('is sent for at most a hundred steps of a run', async () => {
    const many = Array.from({ length: 150 }, (_, index) => `  - {name: s${index}, run: x, mail_on_error: true}\n`);
    let sent = 0;
    const options = { sendMail: () => Promise.resolve(void (sent += 1)) };
    const { mailer, lines } = await open({ spec: `type: graph\n${settings()}steps:\n${many.join('')}`, options });
    mailer.stepsChanged(many.map((_, index) => ended(index, failed)));
    await mailer.runEnded('failed');

    expect(sent).toBe(100);
    expect(lines.filter((line) => line.startsWith('no more mails'))).toHaveLength(1);
  });
});

describe('attach_logs', () => {
  const logged = (position: number, status: DagRunStep['status'], stdoutFile: string, stderrFile = stdoutFile) =>
    aRunStep({ position, name: `s${position}`, status, stdoutFile, stderrFile });
  const attaching = `${all}${settings(', attach_logs: true')}${twoSteps}`;

  it('sends the logs that are not empty, each once, those of failed steps first', async () => {
    await writeFile(folder.file('a.out'), 'fine\n');
    await writeFile(folder.file('a.err'), '');
    await writeFile(folder.file('b.log'), 'größe\n');
    const steps = [
      logged(0, 'succeeded', folder.file('a.out'), folder.file('a.err')),
      logged(1, 'failed', folder.file('b.log')),
      logged(2, 'aborted', folder.file('missing.out'), ''),
    ];
    const { mailer } = await open({ spec: attaching, steps });
    await mailer.runEnded('failed');

    expect(server.mails[0]?.attachments).toEqual([
      { name: 'b.log', content: 'größe\n' },
      { name: 'a.out', content: 'fine\n' },
    ]);
    expect(server.mails[0]?.text).not.toContain('Not all logs');
  });

  it('sends the last megabyte of each and ten of all, and mentions the rest', async () => {
    const files = Array.from({ length: 12 }, (_, index) => folder.file(`${String(index).padStart(2, '0')}.log`));
    for (const file of files) {
      await writeFile(file, 'x');
      await truncate(file, 3 * 1024 * 1024);
    }
    const steps = files.map((file, index) => logged(index, 'failed', file));
    const { mailer } = await open({ spec: attaching, steps });
    await mailer.runEnded('failed');

    const attachments = server.mails[0]?.attachments ?? [];
    expect(attachments).toHaveLength(10);
    expect(attachments.every(({ content }) => content.length === 1024 * 1024)).toBe(true);
    expect(server.mails[0]?.text).toContain('Not all logs are attached');
  });

  it('sends the logs of only the step that the mail is about', async () => {
    await writeFile(folder.file('a.log'), 'a');
    await writeFile(folder.file('b.log'), 'b');
    const steps = [logged(0, 'running', folder.file('a.log')), logged(1, 'running', folder.file('b.log'))];
    const { mailer } = await open({ spec: attaching, steps });
    mailer.stepsChanged([ended(0, failed)]);
    await mailer.runEnded('aborted');

    expect(server.mails).toMatchObject([{ attachments: [{ name: 'a.log', content: 'a' }] }]);
  });
});
