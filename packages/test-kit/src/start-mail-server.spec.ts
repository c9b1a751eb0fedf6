import { connect } from 'node:net';
import { startMailServer, type MailServerOptions } from './start-mail-server';

/** Sends each line after the answer to the previous one, and returns the answers. */
async function talk(options: MailServerOptions, lines: readonly string[]) {
  const server = await startMailServer(options);
  const answers: string[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const socket = connect(server.port, server.host);
      const left = [...lines];
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.on('data', (data) => {
        answers.push(data.toString('utf8'));
        const line = left.shift();
        if (line === undefined) socket.end();
        else socket.write(`${line}\r\n`);
      });
    });
    return { answers, mails: server.mails };
  } finally {
    await server.close();
  }
}

const mail = ['EHLO me', 'MAIL FROM:<a@example.org>', 'RCPT TO:<b@example.org>', 'DATA'];

describe('startMailServer', () => {
  it('keeps received mails', async () => {
    const { mails } = await talk({}, [...mail, 'Subject: Hello\r\n\r\ntext\r\n.']);
    expect(mails).toMatchObject([
      { from: 'a@example.org', to: ['b@example.org'], subject: 'Hello', text: 'text\n', isEncrypted: false },
    ]);
  });

  it('refuses clients that have not signed in if there is an account', async () => {
    const { answers } = await talk({ account: { user: 'a', password: 'b' } }, mail.slice(0, 2));
    expect(answers.at(-1)).toMatch(/^530 /);
  });

  it('refuses the configured recipients', async () => {
    const { answers } = await talk({ refused: ['b@example.org'] }, mail.slice(0, 3));
    expect(answers.at(-1)).toMatch(/^550 /);
  });

  it.each([
    [{}, false],
    [{ encryption: 'starttls' }, true],
  ] as const)('offers encryption with %j: %s', async (options, isOffered) => {
    const { answers } = await talk(options, ['EHLO me']);
    expect(answers.at(-1)?.includes('STARTTLS')).toBe(isOffered);
  });
});
