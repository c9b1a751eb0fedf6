import { X509Certificate } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  freePort,
  mailServerCertificate,
  startMailServer,
  type MailServerOptions,
  type TestMailServer,
  waitFor,
} from '@weir/test-kit';
import type { MailServer } from '@weir/workflow-spec';
import type { Mail } from './mail';
import { createMailSender, type MailTimes } from './send-mail';

const password = 'hunter2-secret';
const account = { user: 'weir', password };
const mail: Mail = { from: 'Weir <weir@example.org>', to: ['ops@example.org'], subject: 'Done', text: 'All is well.' };
const never = new AbortController().signal;

let server: TestMailServer | undefined;
afterEach(() => server?.close());

async function started(options?: MailServerOptions): Promise<TestMailServer> {
  server = await startMailServer(options);
  return server;
}

interface Sending {
  readonly account?: Partial<MailServer>;
  readonly mail?: Partial<Mail>;
  readonly times?: MailTimes;
  readonly signal?: AbortSignal;
}

const send = ({ host, port }: { host: string; port: number }, sending: Sending = {}) =>
  createMailSender(sending.times)(
    { host, port: String(port), ...sending.account },
    { ...mail, ...sending.mail },
    sending.signal ?? never,
  );

const readError = (sent: Promise<void>): Promise<Error> =>
  sent.then(
    () => new Error('The mail was sent.'),
    (error: unknown) => error as Error,
  );

describe('a mail', () => {
  it('arrives with its text, its HTML and its files', async () => {
    const { mails, ...address } = await started();
    const content = Buffer.from('größe\n');
    const to = ['Ops <ops@example.org>, b@example.org', 'c@example.org'];
    await send(address, { mail: { to, html: '<p>All</p>', attachments: [{ name: 'größe.txt', content }] } });

    expect(mails).toMatchObject([
      {
        from: 'weir@example.org',
        to: ['ops@example.org', 'b@example.org', 'c@example.org'],
        user: undefined,
        isEncrypted: false,
        subject: 'Done',
        text: 'All is well.\n',
        html: '<p>All</p>\n',
        attachments: [{ name: 'größe.txt', content: 'größe\n' }],
      },
    ]);
  });

  it('has a subject of one line, for any text', async () => {
    const { mails, ...address } = await started();
    await send(address, { mail: { subject: 'Done\r\nBcc: eve@example.org\r\n\r\nboo\n' } });

    const [received] = mails;
    expect(received?.subject).toBe('Done Bcc: eve@example.org boo');
    expect(received?.to).toEqual(['ops@example.org']);
    expect(received?.raw).not.toMatch(/^Bcc:/im);
  });

  it.each([
    [{ from: 'a@example.org\r\nBcc: hunter2@example.org' }, 'from must not contain line breaks'],
    [{ from: 'a@example.org, b@example.org' }, 'from must be one mail address.'],
    [{ from: '' }, 'from contains an invalid mail address.'],
    [{ to: [] }, 'to contains no mail address.'],
    [{ to: ['a@example.org', 'hunter2'] }, 'to contains an invalid mail address.'],
    [{ to: ['a@example.org\nhunter2'] }, 'to must not contain line breaks'],
    [{ to: Array.from({ length: 101 }, () => 'a@example.org') }, 'to contains more than 100 addresses.'],
  ] as const)('is not sent with %j', async (values, phrase) => {
    const { mails, connectionCount, ...address } = await started();
    const { message } = await readError(send(address, { mail: values }));

    expect(message).toContain(phrase);
    expect(message).not.toContain('hunter2');
    expect(mails).toEqual([]);
    expect(connectionCount()).toBe(0);
  });
});

describe('the sign-in', () => {
  it('is made if the server requires it', async () => {
    const { mails, ...address } = await started({ account });
    await send(address, { account: { username: 'weir', password } });

    expect(mails).toMatchObject([{ user: 'weir' }]);
  });

  it.each([
    ['a wrong password', { username: 'weir', password: 'hunter2-wrong' }, /rejected the credentials \(EAUTH, 535\)/],
    ['no account', {}, /refused the sender or the recipients \(EENVELOPE, 530\)/],
  ])('fails with %s, without repeating it', async (_, values, phrase) => {
    const { mails, ...address } = await started({ account });
    const error = await readError(send(address, { account: values }));

    expect(error.message).toMatch(phrase);
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('hunter2');
    expect(mails).toEqual([]);
  });
});

describe('encryption', () => {
  const signedIn = { account: { username: 'weir', password }, times: { connectMs: 2_000 } };

  it('is used if it is offered, and fails for an untrusted certificate', async () => {
    const { mails, ...address } = await started({ account, encryption: 'starttls' });
    const { message } = await readError(send(address, signedIn));

    expect(message).toBe('The certificate of the mail server is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).');
    expect(mails).toEqual([]);
  });

  it('is required before another host receives the password, offered or not', async () => {
    const { mails, port } = await started({ account });
    // The server of this case, by a name that is not known to mean this host.
    const { message } = await readError(send({ host: '::ffff:127.0.0.1', port }, signedIn));

    expect(message).toMatch(/^The mail server offers no usable encrypted connection \(ETLS/);
    expect(mails).toEqual([]);
  });

  it('is not guessed: a server that always encrypts has port 465', async () => {
    const { mails, ...address } = await started({ account, encryption: 'implicit' });
    const { message } = await readError(send(address, signedIn));

    expect(message).toMatch(/^The mail server .*\.$/);
    expect(message).not.toContain(password);
    expect(mails).toEqual([]);
  });
});

describe('a pinned certificate', () => {
  const { fingerprint256 } = new X509Certificate(mailServerCertificate.cert);
  const other = fingerprint256.replace(/^../, (byte) => (byte === '00' ? '01' : '00'));
  const pin = (tlsCertSha256: string) => ({
    account: { username: 'weir', password, tlsCertSha256 },
    times: { connectMs: 2_000 },
  });

  it.each([
    ['with colons', fingerprint256],
    ['without colons, in lower case', fingerprint256.replaceAll(':', '').toLowerCase()],
  ])('is accepted although nobody trusts it, written %s', async (_, text) => {
    const { mails, ...address } = await started({ account, encryption: 'starttls' });
    await send(address, pin(text));

    expect(mails).toMatchObject([{ user: 'weir', isEncrypted: true }]);
  });

  it('is the only one that is accepted, before the server learns the password', async () => {
    const { mails, ...address } = await started({ account, encryption: 'starttls' });
    const { message } = await readError(send(address, pin(other)));

    expect(message).toBe(`The mail server presented another certificate than the pinned one: ${fingerprint256}.`);
    expect(mails).toEqual([]);
  });

  it('requires encryption, also on this host', async () => {
    const { mails, ...address } = await started();
    const { message } = await readError(send(address, { account: { tlsCertSha256: fingerprint256 } }));

    expect(message).toMatch(/^The mail server offers no usable encrypted connection \(ETLS/);
    expect(mails).toEqual([]);
  });
});

describe('a server', () => {
  it('that is missing is reported with its error code', async () => {
    const port = await freePort();
    const { message } = await readError(send({ host: '127.0.0.1', port }));
    expect(message).toBe('The mail server cannot be reached (ECONNREFUSED).');
  });

  it.each([
    ['connecting', 'greeting', { connectMs: 100 }, 'The mail server did not respond in time (ETIMEDOUT).'],
    ['the whole mail', 'data', { totalMs: 300 }, 'The mail was not sent within 0.3 seconds.'],
    ['its next word', 'data', { silenceMs: 200 }, 'The mail server did not respond in time (ETIMEDOUT).'],
  ] as const)('has limited time for %s', async (_, silentAt, times, message) => {
    const { openCount, ...address } = await started({ silentAt });

    expect((await readError(send(address, { times }))).message).toBe(message);
    await waitFor(() => openCount() === 0, { what: 'the connection to be closed' });
  });

  it.each(['greeting', 'data'] as const)(
    'that is silent (%s) is given up on at once when the signal aborts',
    async (silentAt) => {
      const { openCount, connectionCount, ...address } = await started({ silentAt });
      const controller = new AbortController();
      const sent = readError(send(address, { signal: controller.signal }));
      await waitFor(() => connectionCount() === 1, { what: 'the connection' });
      controller.abort(new Error('stopped'));

      expect((await sent).message).toBe('stopped');
      await waitFor(() => openCount() === 0, { what: 'the connection to be closed' });
    },
  );

  it('receives nothing after the signal', async () => {
    const { connectionCount, ...address } = await started();
    await readError(send(address, { signal: AbortSignal.abort(new Error('stopped')) }));
    expect(connectionCount()).toBe(0);
  });

  it('that refuses one recipient fails the mail, which the others still get', async () => {
    const { mails, ...address } = await started({ refused: ['eve@example.org'] });
    const { message } = await readError(send(address, { mail: { to: ['ops@example.org', 'eve@example.org'] } }));

    expect(message).toBe('The mail server refused 1 of 2 recipients; the others were sent the mail.');
    expect(mails).toMatchObject([{ to: ['ops@example.org'] }]);
  });

  it('that refuses all recipients is reported with its error code, without an address', async () => {
    const { mails, ...address } = await started({ refused: ['ops@example.org'] });
    const { message } = await readError(send(address));

    expect(message).toBe('The mail server refused the sender or the recipients (EENVELOPE, 550).');
    expect(mails).toEqual([]);
  });
});

describe('a peer that is not a mail server', () => {
  let other: Server;
  const sockets = new Set<Socket>();
  const listen = async (answer: (socket: Socket) => void) => {
    other = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      answer(socket);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    return { host: '127.0.0.1', port: (other.address() as AddressInfo).port };
  };
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => other.close(resolve));
  });

  it('fails the mail soon, without repeating its answer', async () => {
    const address = await listen((socket) => socket.end('HTTP/1.1 400 hunter2\r\n\r\n'));
    const { message } = await readError(send(address));

    expect(message).toMatch(/\((EPROTOCOL|ECONNECTION|ECONNRESET).*\)\.$/);
    expect(message).not.toContain('hunter2');
  });

  it('is read only up to a limit', async () => {
    const address = await listen((socket) => {
      const chunk = 'x'.repeat(65_536);
      const write = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', write);
      write();
    });
    expect((await readError(send(address))).message).toMatch(/^The mail server .*\.$/);
  });
});
