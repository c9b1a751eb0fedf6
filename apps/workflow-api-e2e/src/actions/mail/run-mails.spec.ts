import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  startMailServer,
  temporaryFolder,
  type MailServerOptions,
  type TemporaryFolder,
  type TestMailServer,
} from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';

const account = { user: 'weir', password: 'hunter2' };

let home: TemporaryFolder;
let server: TestMailServer;

beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => Promise.all([home.remove(), server.close()]));

async function start(file: string, options: MailServerOptions = {}) {
  server = await startMailServer({ account, ...options });
  const args = ['start', file, '--', `PORT=${server.port}`];
  const { code, stdout, stderr } = await runWeir(args, { home, folder: path.join(__dirname, 'run') });
  return { code, text: `${stdout}${stderr}`, log: await runLog() };
}

async function runLog(): Promise<string> {
  const logs = home.file('weir', 'logs');
  const [file = ''] = (await readdir(logs, { recursive: true })).filter((name) => path.basename(name) === 'run.log');
  return readFile(path.join(logs, file), 'utf8');
}

describe('mails about runs', () => {
  it('report a success, with every step in a table', async () => {
    const { code, text } = await start('succeeds.yaml');
    if (code !== 0) throw new Error(text);

    expect(server.mails).toMatchObject([
      { from: 'weir@example.org', to: ['info@example.org'], subject: 'succeeds (succeeded)', attachments: [] },
    ]);
    expect(server.mails[0]?.html).toContain('load &lt;all&gt;');
    expect(server.mails[0]?.text).toMatch(/^Finished: \d{4}-/m);
  });

  it('report a failure, with the logs, without interpreting markup', async () => {
    const { code, log } = await start('fails.yaml');

    expect(code).toBe(1);
    expect(server.mails).toMatchObject([
      { to: ['ops@example.org', 'second@example.org'], subject: '[fails] fails (failed)', user: 'weir' },
    ]);
    const [mail] = server.mails;
    expect(mail?.text).toMatch(/- fetch: succeeded[^]*- load: failed[^]*exit status 3[^]*- publish: aborted/);
    expect(mail?.html).not.toContain('<script');
    expect(mail?.attachments.map(({ content }) => content)).toEqual(['<script>alert(1)</script>\n', 'one\n']);
    expect(log).toContain('mail sent');
    expect(log).not.toContain('hunter2');
  });

  it('report a step once all its attempts have failed', async () => {
    await start('step-fails.yaml');

    expect(server.mails).toMatchObject([
      { subject: 'step-fails: fetch (failed)', attachments: [{ content: 'why\nwhy\n' }] },
    ]);
  });

  it('are not sent when the preconditions of the DAG do not hold', async () => {
    const { code } = await start('declined.yaml');

    expect(code).toBe(0);
    expect(server.connectionCount()).toBe(0);
  });

  it.each([
    [
      'the server refuses it',
      'succeeds.yaml',
      { refused: ['info@example.org'] },
      'refused the sender or the recipients',
    ],
    ['the sign-in is wrong', 'succeeds.yaml', { account: { user: 'x', password: 'y' } }, 'rejected the credentials'],
    ['nobody is named for it', 'nowhere.yaml', {}, 'the DAG has no info_mail'],
  ] as const)('change nothing about their run when %s', async (_, file, options, reason) => {
    const { code, text, log } = await start(file, options);
    if (code !== 0) throw new Error(text);

    expect(server.mails).toEqual([]);
    expect(log).toMatch(new RegExp(`mail not sent .*${reason}`));
    expect(`${log}${text}`).not.toContain('hunter2');
  });
});
