import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  mailServerCertificate,
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

async function start(file: string, options: MailServerOptions, env: Readonly<Record<string, string>> = {}) {
  server = await startMailServer(options);
  const args = [
    'start',
    file,
    '--',
    `PORT=${server.port}`,
    ...Object.entries(env).flatMap(([name, value]) => (name === 'NODE_EXTRA_CA_CERTS' ? [] : [`${name}=${value}`])),
  ];
  const { code, stdout, stderr } = await runWeir(args, { home, folder: path.join(__dirname, 'mail'), env });
  return { code, text: `${stdout}${stderr}` };
}

describe('mail.send and a mail server', () => {
  it('signs in and sends the mail with its file', async () => {
    const { code, text } = await start('send.yaml', { account });
    if (code !== 0) throw new Error(text);

    expect(server.mails).toMatchObject([
      {
        from: 'weir@example.org',
        to: ['ops@example.org', 'zoe@example.org'],
        user: 'weir',
        isEncrypted: false,
        subject: '2 rows of send',
        text: 'Größe: 2\n<b>no markup</b>\n\n',
        html: undefined,
        attachments: [{ name: 'report.csv', content: 'a,b\n1,2\n' }],
      },
    ]);
    expect(text).not.toContain('hunter2');
  });

  it('encrypts if the server offers it with a certificate that the host trusts', async () => {
    await writeFile(home.file('ca.pem'), mailServerCertificate.cert);
    const env = { NODE_EXTRA_CA_CERTS: home.file('ca.pem'), HOST: 'localhost' };
    const { code, text } = await start('send.yaml', { account, encryption: 'starttls' }, env);
    if (code !== 0) throw new Error(text);

    expect(server.mails).toMatchObject([{ isEncrypted: true, user: 'weir' }]);
  });

  it('encrypts with a certificate that is pinned, whoever signed it', async () => {
    const fingerprint = new X509Certificate(mailServerCertificate.cert).fingerprint256;
    const { code, text } = await start('pinned.yaml', { encryption: 'starttls' }, { FINGERPRINT: fingerprint });
    if (code !== 0) throw new Error(text);

    expect(server.mails).toMatchObject([{ isEncrypted: true, subject: 'Done' }]);
  });

  it('sends no password to a server whose certificate is not trusted', async () => {
    const { code, text } = await start('send.yaml', { account, encryption: 'starttls' });

    expect(code).toBe(1);
    expect(text).toContain('The certificate of the mail server is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).');
    expect(server.mails).toEqual([]);
  });

  it('fails for a refused sign-in, without the message of the server', async () => {
    const { code, text } = await start('send.yaml', { account: { user: 'weir', password: 'other' } });

    expect(code).toBe(1);
    expect(text).toContain('The mail server rejected the credentials (EAUTH, 535).');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('no such account');
  });

  it('fails when one recipient is refused; the others receive the mail', async () => {
    const { code, text } = await start('send.yaml', { account, refused: ['ops@example.org'] });

    expect(code).toBe(1);
    expect(text).toContain('The mail server refused 1 of 2 recipients; the others were sent the mail.');
    expect(server.mails).toMatchObject([{ to: ['zoe@example.org'] }]);
  });

  it('is retried by the retry policy of its step', async () => {
    const { code } = await start('retry.yaml', { refused: ['ops@example.org'] });

    expect(code).toBe(1);
    expect(server.connectionCount()).toBe(3);
  });

  it('gives up on a silent server when the time of the step is over', async () => {
    const { code, text } = await start('timeout.yaml', { silentAt: 'greeting' });

    expect(code).toBe(1);
    expect(text).toContain('timed out after 1 seconds');
  });
});
