import { X509Certificate } from 'node:crypto';
import path from 'node:path';
import {
  mailServerCertificate,
  startImapServer,
  temporaryFolder,
  type TemporaryFolder,
  type TestImapServer,
} from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';

const invoice = [
  'Subject: Invoice 1',
  'Content-Type: text/csv; name="a.csv"',
  'Content-Disposition: attachment; filename="a.csv"',
  '',
  'a,b',
].join('\r\n');

let home: TemporaryFolder;
let server: TestImapServer;

beforeEach(async () => {
  home = temporaryFolder();
  server = await startImapServer({ messages: [{ raw: invoice }, { raw: 'Subject: Other\r\n\r\nx' }] });
});
afterEach(() => Promise.all([home.remove(), server.close()]));

describe('mail.search and mail.organize', () => {
  it('find the mails and file each of them once it was used', async () => {
    const fingerprint = new X509Certificate(mailServerCertificate.cert).fingerprint256;
    const args = ['start', 'mailbox.yaml', '--', `PORT=${server.port}`, `FINGERPRINT=${fingerprint}`];
    const { code, stdout, stderr } = await runWeir(args, { home, folder: path.join(__dirname, 'mail') });
    if (code !== 0) throw new Error(`${stdout}${stderr}`);

    expect(server.folder('INBOX')).toHaveLength(1);
    expect(server.folder('Done')).toMatchObject([{ raw: invoice, flags: ['\\Seen'] }]);
    expect(`${stdout}${stderr}`).not.toContain('hunter2');
  });
});
