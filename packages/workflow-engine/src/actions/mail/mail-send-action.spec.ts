import { truncate, writeFile } from 'node:fs/promises';
import { startMailServer, waitFor, type TestMailServer } from '@weir/test-kit';
import type { JsonObject } from '@weir/workflow-spec';
import { actionFixture, type ActionFixture, type RunOptions } from '../testing/action-fixture';

const account = { user: 'weir', password: 'hunter2' };
const settings = { from: 'weir@example.org', to: 'ops@example.org', subject: 'Done', message: 'All is\nwell.' };

let fixture: ActionFixture;
let server: TestMailServer;
beforeEach(async () => {
  fixture = await actionFixture();
  server = await startMailServer({ account });
});
afterEach(() => Promise.all([fixture.remove(), server.close()]));

const send = (more: JsonObject = {}, options: RunOptions = {}) =>
  fixture.run(
    'mail.send',
    { ...settings, ...more },
    {
      mailServer: { host: server.host, port: String(server.port), username: 'weir', password: 'hunter2' },
      ...options,
    },
  );

describe('mail.send', () => {
  it('sends the message with the files of the working folder', async () => {
    await writeFile(fixture.path('report.csv'), 'a,b\n');
    const { outcome, stdout } = await send({ to: ['ops@example.org', 'b@example.org'], attachments: ['report.csv'] });

    expect(outcome).toEqual({ status: 'succeeded' });
    expect(stdout).toBe('mail sent\n');
    expect(server.mails).toMatchObject([
      {
        user: 'weir',
        to: ['ops@example.org', 'b@example.org'],
        subject: 'Done',
        text: 'All is\nwell.\n',
        attachments: [{ name: 'report.csv', content: 'a,b\n' }],
      },
    ]);
  });

  it('sends the message as text, even if it looks like markup', async () => {
    await send({ message: '<script>alert(1)</script>' });
    expect(server.mails).toMatchObject([{ text: '<script>alert(1)</script>\n', html: undefined }]);
  });

  it('uses the account of the mail server as the sender when it names none', async () => {
    const { from: _, ...rest } = settings;
    const mailServer = {
      host: server.host,
      port: String(server.port),
      username: 'weir@example.org',
      password: 'hunter2',
    };
    await server.close();
    server = await startMailServer({ account: { user: 'weir@example.org', password: 'hunter2' } });
    const sent = await fixture.run('mail.send', rest, { mailServer: { ...mailServer, port: String(server.port) } });

    expect(sent.outcome).toEqual({ status: 'succeeded' });
    expect(server.mails).toMatchObject([{ from: 'weir@example.org' }]);
  });

  it('fails without a sender', async () => {
    const { from: _, ...rest } = settings;
    const mailServer = { host: server.host, port: String(server.port), username: 'weir', password: 'hunter2' };
    const { outcome } = await fixture.run('mail.send', rest, { mailServer });

    expect(outcome).toMatchObject({ status: 'failed', error: expect.stringContaining('no sender') as string });
  });

  it('fails without a mail server', async () => {
    const { outcome } = await fixture.run('mail.send', settings);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'mail.send needs the mail server of the DAG: smtp is missing.',
    });
  });

  it('fails with the reason of the server, without the account', async () => {
    const mailServer = { host: server.host, port: String(server.port), username: 'weir', password: 'hunter3' };
    const { outcome, stdout, stderr } = await send({}, { mailServer });

    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'The mail server rejected the credentials (EAUTH, 535).',
    });
    expect(`${stdout}${stderr}${JSON.stringify(outcome)}`).not.toContain('hunter3');
  });

  it('sends nothing when a file is missing, is not a regular file, or all are too large', async () => {
    await writeFile(fixture.path('a.bin'), '');
    await writeFile(fixture.path('b.bin'), '');
    await truncate(fixture.path('a.bin'), 20 * 1024 * 1024);
    await truncate(fixture.path('b.bin'), 6 * 1024 * 1024);

    expect((await send({ attachments: 'none' })).outcome.error).toBe('attachments was not found (ENOENT).');
    expect((await send({ attachments: '.' })).outcome.error).toBe('attachments is not a regular file.');
    const { error } = (await send({ attachments: ['a.bin', 'b.bin'] })).outcome;
    expect(error).toBe('attachments contains more than 5242880 bytes.');
    expect(server.mails).toEqual([]);
  });

  it('is aborted by a stop while the server is silent', async () => {
    const silent = await startMailServer({ silentAt: 'greeting' });
    try {
      const controller = new AbortController();
      const mailServer = { host: silent.host, port: String(silent.port) };
      const ran = send({}, { signal: controller.signal, mailServer });
      await waitFor(() => silent.connectionCount() === 1, { what: 'the connection' });
      controller.abort();

      expect((await ran).outcome).toMatchObject({ status: 'aborted', error: 'run stopped' });
    } finally {
      await silent.close();
    }
  });
});
