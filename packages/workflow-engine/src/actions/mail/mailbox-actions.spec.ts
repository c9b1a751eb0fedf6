import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { mailServerCertificate, startImapServer, startMailServer, waitFor, type TestImapServer } from '@weir/test-kit';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import { actionFixture, type ActionFixture, type RunOptions } from '../testing/action-fixture';
import { fetchAccessToken } from './mail-token';

const address = 'weir@example.org';
const pin = new X509Certificate(mailServerCertificate.cert).fingerprint256;

const plain = [
  'From: Ann <ann@example.org>',
  'To: weir@example.org, b@example.org',
  'Subject: Invoice 1',
  'Message-ID: <one@example.org>',
  'Date: Mon, 02 Nov 2026 10:00:00 +0000',
  '',
  `Hello ${'x'.repeat(10_050)}`,
].join('\r\n');
const withFile = [
  'From: bob@example.org',
  'Subject: Report',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=part',
  '',
  '--part',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Hello <b>you</b></p>',
  '--part',
  'Content-Type: text/csv; name="../../a b.csv"',
  'Content-Disposition: attachment; filename="../../a b.csv"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('a,b\n1,2\n').toString('base64'),
  '--part--',
  '',
].join('\r\n');

const messages = [
  { raw: plain, uid: 5, internaldate: '02-Nov-2026 10:00:00 +0000' },
  { raw: withFile, uid: 7, flags: ['\\Seen'], internaldate: '03-Nov-2026 10:00:00 +0000' },
];

let fixture: ActionFixture;
let server: TestImapServer;
beforeEach(async () => {
  fixture = await actionFixture({ clock: { now: () => new Date('2026-11-03T12:00:00Z') } });
  server = await startImapServer({ messages });
});
afterEach(() => Promise.all([fixture.remove(), server.close()]));

const anAccount = (imap: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  imap: { host: '127.0.0.1', port: server.port, tls_cert_sha256: pin, ...imap },
  username: 'weir',
  password: 'hunter2',
  ...more,
});

const run = (
  action: 'mail.search' | 'mail.organize',
  settings: JsonObject = {},
  { account = anAccount(), ...options }: RunOptions & { readonly account?: JsonObject } = {},
) =>
  fixture.run(
    action,
    { mailbox: address, ...settings },
    { maxOutputBytes: 1_048_576, mailAccount: { address, settings: account }, ...options },
  );

type Ran = Awaited<ReturnType<typeof run>>;
const output = ({ outcome }: Ran, name: string): JsonValue | undefined =>
  outcome.outputs?.declared.find((each) => each.name === name)?.value;
const subjects = (ran: Ran): readonly JsonValue[] =>
  (output(ran, 'messages') as readonly { readonly subject: string }[]).map(({ subject }) => subject);
const idsOf = async (): Promise<readonly string[]> =>
  (output(await run('mail.search'), 'messages') as readonly { readonly id: string }[]).map(({ id }) => id);
const flags = (path = 'INBOX') => server.folder(path)?.map((message) => [message.uid, ...(message.flags ?? [])]);

describe('mail.search', () => {
  it('publishes the mails, the oldest first, and leaves their flags', async () => {
    const ran = await run('mail.search');

    expect(ran.outcome).toMatchObject({ status: 'succeeded' });
    expect(output(ran, 'messages')).toMatchObject([
      {
        message_id: 'one@example.org',
        folder: 'INBOX',
        from_name: 'Ann',
        from_address: 'ann@example.org',
        to: ['weir@example.org', 'b@example.org'],
        cc: [],
        subject: 'Invoice 1',
        date: '2026-11-02T10:00:00.000Z',
        unread: true,
        flagged: false,
        text: `Hello ${'x'.repeat(9_994)}`,
        attachments: [],
      },
      { unread: false, text: 'Hello you', attachments: [{ name: '../../a b.csv', content_type: 'text/csv' }] },
    ]);
    expect(output(ran, 'count')).toBe(2);
    expect(output(ran, 'truncated')).toBe(true);
    expect(flags()).toEqual([[5], [7, '\\Seen']]);
  });

  it.each<[JsonObject, readonly string[]]>([
    [{ unread: true }, ['Invoice 1']],
    [{ from: 'BOB' }, ['Report']],
    [{ subject: 'invoice' }, ['Invoice 1']],
    [{ within: '3h' }, ['Report']],
    [{ has_attachments: true }, ['Report']],
    [{ limit: 1 }, ['Invoice 1']],
    [{ unread: true, from: 'bob' }, []],
  ])('filters by %j', async (settings, expected) => {
    expect(subjects(await run('mail.search', settings))).toEqual(expected);
  });

  it('saves attachments among the artifacts, under names of their own', async () => {
    const artifactsDir = fixture.path('artifacts');
    const settings = { save_attachments: true, has_attachments: true };
    const ran = await run('mail.search', settings, { artifactsDir, stepName: 'find' });

    const path = `${artifactsDir}/mail/find/1-_.._a b.csv`;
    expect(output(ran, 'messages')).toMatchObject([{ attachments: [{ name: '../../a b.csv', size: 8, path }] }]);
    expect(await readFile(path, 'utf8')).toBe('a,b\n1,2\n');
    const again = await run('mail.search', settings, { artifactsDir, stepName: 'find' });
    const otherPath = `${artifactsDir}/mail/find/2-_.._a b.csv`;
    expect(output(again, 'messages')).toMatchObject([{ attachments: [{ path: otherPath }] }]);
  });

  it('fails when attachments are to be saved without artifacts', async () => {
    const { outcome } = await run('mail.search', { save_attachments: true });
    expect(outcome.error).toBe('save_attachments requires artifact storage.');
  });

  it('publishes a mail without its text when it is too deep to be read', async () => {
    const depths = Array.from({ length: 300 }, (_, depth) => depth);
    const open = depths.map((depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`);
    await server.close();
    server = await startImapServer({
      messages: [{ raw: `Subject: Deep\r\n${open.join('')}\r\nx`, uid: 1 }, ...messages],
    });

    const ran = await run('mail.search');
    expect(output(ran, 'messages')).toMatchObject([{ subject: 'Deep', text: '' }, {}, {}]);
    expect(output(ran, 'truncated')).toBe(true);
  });

  it('shortens texts and leaves out the newest mails to stay below the limit of outputs', async () => {
    const shortened = await run('mail.search', {}, { maxOutputBytes: 65_536 + 2_000 });
    expect(output(shortened, 'count')).toBe(2);
    const left = await run('mail.search', {}, { maxOutputBytes: 65_536 + 500 });
    expect(subjects(left)).toEqual(['Invoice 1']);
    expect(output(left, 'truncated')).toBe(true);
  });
});

describe('mail.organize', () => {
  it('marks and moves mails and creates the folder', async () => {
    const [first = '', second = ''] = await idsOf();
    const emails = JSON.stringify([
      { id: first, folder: 'INBOX' },
      { id: second, move_to: 'Reports' },
    ]);
    const ran = await run('mail.organize', { emails, mark: 'read', move: 'folder', folder: 'Invoices' });

    expect(ran.outcome).toMatchObject({ status: 'succeeded' });
    expect(output(ran, 'changed')).toBe(2);
    expect(output(ran, 'missing')).toEqual([]);
    expect(flags('INBOX')).toEqual([]);
    expect(server.folder('Invoices')).toMatchObject([{ raw: plain, flags: ['\\Seen'] }]);
    expect(server.folder('Reports')).toHaveLength(1);
  });

  it.each(['Büro "x" (1)', 'a b', '*'])('moves to a folder with the name %j', async (folder) => {
    const [emails = ''] = await idsOf();
    const ran = await run('mail.organize', { emails, move: 'folder', folder });

    expect(ran.outcome).toMatchObject({ status: 'succeeded' });
    expect(flags()).toEqual([[7, '\\Seen']]);
  });

  it('sends no command that hides in the name of a folder', async () => {
    const [emails = ''] = await idsOf();
    const folder = 'x"\r\nA9 CREATE hidden\r\n';
    await run('mail.organize', { emails, move: 'folder', folder });
    await run('mail.search', { folder });
    await run('mail.search', { subject: folder });

    expect(server.folder('hidden')).toBeUndefined();
  });

  it('lists mails that are gone as missing', async () => {
    const [first = '', second = ''] = await idsOf();
    await run('mail.organize', { emails: first, move: 'archive' });
    const ran = await run('mail.organize', { emails: [first, { id: second }], mark: 'flagged', move: 'trash' });

    expect(output(ran, 'changed')).toBe(1);
    expect(output(ran, 'missing')).toEqual([first]);
    expect(server.folder('Archive')).toHaveLength(1);
    expect(flags('Trash')?.map((each) => each.slice(1))).toEqual([['\\Seen', '\\Flagged']]);
  });

  it('changes nothing in a dry run', async () => {
    const emails = [...(await idsOf())];
    const ran = await run('mail.organize', { emails, mark: 'unread', move: 'trash', dry_run: true });

    expect(output(ran, 'changed')).toBe(2);
    expect(flags()).toEqual([[5], [7, '\\Seen']]);
  });

  it('moves nothing by copies and deletions', async () => {
    const emails = [...(await idsOf())];
    await server.close();
    server = await startImapServer({ messages, without: ['MOVE'] });

    const { outcome } = await run('mail.organize', { emails, move: 'archive' });
    expect(outcome.error).toContain('lacks the IMAP extension MOVE');
    expect(flags()).toEqual([[5], [7, '\\Seen']]);
  });

  it.each<[JsonObject, string]>([
    [{ emails: 'x y', mark: 'read' }, 'emails holds something that is no ID of a mail'],
    [{ emails: 'W10', mark: 'read' }, 'emails holds something that is no ID of a mail'],
    [{ emails: 'WyJJTkJPWCIsIjEiLDVd', move: 'folder' }, 'folder is required'],
    [{ emails: [] }, 'mark or move is required'],
  ])('refuses %j', async (settings, message) => {
    expect((await run('mail.organize', settings)).outcome.error).toContain(message);
  });
});

describe('the connection to a mailbox', () => {
  it('accepts a self-signed certificate only when it is pinned or not verified', async () => {
    const { port } = server;
    const accountOf = (more: JsonObject) => ({ ...anAccount(), imap: { host: '127.0.0.1', port, ...more } });
    const search = async (more: JsonObject) => (await run('mail.search', {}, { account: accountOf(more) })).outcome;

    expect(await search({ skip_tls_verify: true })).toMatchObject({ status: 'succeeded' });
    expect((await search({})).error).toContain('the certificate of the server is not trusted');
    expect((await search({ tls_cert_sha256: 'ab'.repeat(32) })).error).toContain('another certificate');
  });

  it('is encrypted by STARTTLS, or fails', async () => {
    await server.close();
    server = await startImapServer({ messages, security: 'starttls' });
    expect((await run('mail.search', {}, { account: anAccount({ security: 'starttls' }) })).outcome).toMatchObject({
      status: 'succeeded',
    });
    await server.close();
    server = await startImapServer({ messages, security: 'none' });
    const { outcome } = await run('mail.search', {}, { account: anAccount({ security: 'starttls' }) });
    expect(outcome).toMatchObject({ status: 'failed' });
  });

  it('fails with the name of the account, without its password', async () => {
    const account = { ...anAccount(), password: 'hunter3' };
    const ran = await run('mail.search', {}, { account });
    expect(ran.outcome.error).toContain('mail account "weir@example.org": the server rejected the sign-in');
    expect(JSON.stringify(ran)).not.toContain('hunter3');
  });

  it('is closed by a stop while the server is silent', async () => {
    const silent = await startMailServer({ silentAt: 'greeting' });
    try {
      const controller = new AbortController();
      const account = anAccount({ port: silent.port, security: 'starttls' });
      const ran = run('mail.search', {}, { account, signal: controller.signal });
      await waitFor(() => silent.connectionCount() === 1, { what: 'the connection' });
      controller.abort();
      expect((await ran).outcome).toMatchObject({ status: 'aborted', error: 'run stopped' });
    } finally {
      await silent.close();
    }
  });

  it('signs in with an access token, to read and to send', async () => {
    const smtpServer = await startMailServer({
      account: { user: 'weir', password: 'hunter2' },
      encryption: 'starttls',
    });
    const send = jest.spyOn(globalThis, 'fetch').mockImplementation(() => {
      return Promise.resolve(Response.json({ access_token: 'hunter2' }));
    });
    try {
      const { password: _, ...more } = anAccount();
      const smtp = { host: '127.0.0.1', port: smtpServer.port, security: 'starttls', tls_cert_sha256: pin };
      const oauth = { provider: 'google_refresh', client_id: 'id', client_secret: 'x', refresh_token: 'y' };
      const mailAccount = { address, settings: { ...more, smtp, oauth } };
      const mail = { mailbox: address, to: 'ops@example.org', subject: 'Done', message: 'Well.' };

      expect(output(await run('mail.search', {}, { account: mailAccount.settings }), 'count')).toBe(2);
      expect((await fixture.run('mail.send', mail, { mailAccount })).outcome).toEqual({ status: 'succeeded' });
      expect(smtpServer.mails).toMatchObject([{ user: 'weir', isEncrypted: true }]);
    } finally {
      send.mockRestore();
      await smtpServer.close();
    }
  });

  it('fails without an account and with one that is not complete', async () => {
    const none = await fixture.run('mail.search', { mailbox: 'a@example.org' });
    expect(none.outcome.error).toBe('mailbox names no account of mail_accounts.');
    const account = { imap: { host: '127.0.0.1', port: 'x' }, password: 'hunter2' };
    const { error } = (await run('mail.search', {}, { account })).outcome;
    expect(error).toContain('mail account "weir@example.org":');
    expect(error).not.toContain('hunter2');
  });
});

describe('mail.send with a mailbox', () => {
  it('sends by the server of the account in the name of its address', async () => {
    const smtpServer = await startMailServer({
      account: { user: 'weir', password: 'hunter2' },
      encryption: 'implicit',
    });
    try {
      const smtp = { host: '127.0.0.1', port: smtpServer.port, skip_tls_verify: true };
      const { outcome } = await fixture.run(
        'mail.send',
        { mailbox: address, to: 'ops@example.org', subject: 'Done', message: 'Well.' },
        { mailAccount: { address, settings: anAccount({}, { smtp }) } },
      );
      expect(outcome).toEqual({ status: 'succeeded' });
      expect(smtpServer.mails).toMatchObject([{ from: address, user: 'weir', isEncrypted: true }]);
    } finally {
      await smtpServer.close();
    }
  });
});

describe('the exchange of a refresh token', () => {
  const signal = new AbortController().signal;
  const oauth = { provider: 'microsoft_refresh', client_id: 'id', refresh_token: 'secret' } as const;

  it('asks for the permissions that were granted', async () => {
    const asked: unknown[] = [];
    const send = (url: string | URL | Request, init?: RequestInit) => {
      asked.push(url, init?.body);
      return Promise.resolve(Response.json({ access_token: 'token' }));
    };
    expect(await fetchAccessToken(oauth, signal, send)).toEqual({ accessToken: 'token' });
    const form = { grant_type: 'refresh_token', client_id: 'id', refresh_token: 'secret' };
    const scope = 'https://outlook.office.com/.default offline_access';
    expect(asked).toEqual([
      'https://login.microsoftonline.com/common/oauth2/v2.0/token',
      new URLSearchParams({ ...form, scope }),
    ]);
  });

  it.each([
    [Response.json({ error: 'invalid_grant' }, { status: 400 }), 'sign-in is no longer valid (invalid_grant)'],
    [new Response('secret', { status: 500 }), 'the token endpoint refused the sign-in (status 500)'],
  ])('names the reason of the endpoint %#', async (response, problem) => {
    expect(await fetchAccessToken(oauth, signal, () => Promise.resolve(response))).toEqual({ problem });
  });
});
