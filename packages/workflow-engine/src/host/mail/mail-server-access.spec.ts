import { mailServerAccess, resolveMailServer } from './mail-server-access';

describe('resolveMailServer', () => {
  it('replaces the references of all its strings', () => {
    const scope = { params: new Map([['P', '2525']]), env: new Map([['SECRET', 'hunter2']]) };
    const server = { host: 'mail.${params.P}', port: '${params.P}', username: 'me', password: '$SECRET' };

    expect(resolveMailServer(server, scope)).toEqual({
      host: 'mail.2525',
      port: '2525',
      username: 'me',
      password: 'hunter2',
    });
  });
});

describe('mailServerAccess', () => {
  it('uses port 587 when none is given, encrypted if the server offers it', () => {
    expect(mailServerAccess({ host: 'mail.example.org' })).toEqual({
      host: 'mail.example.org',
      port: 587,
      encryption: 'offered',
    });
  });

  it('encrypts from the first byte on port 465', () => {
    expect(mailServerAccess({ host: 'x', port: ' 465 ', username: 'a', password: 'b' })).toMatchObject({
      port: 465,
      encryption: 'always',
      account: { user: 'a', pass: 'b' },
    });
  });

  it.each([
    ['mail.example.org', 'required'],
    ['127.0.0.1.example.org', 'required'],
    ['localhost.example.org', 'required'],
    ['10.0.0.1', 'required'],
    ['localhost', 'offered'],
    ['127.0.0.1', 'offered'],
    ['::1', 'offered'],
  ])('sends %s a password only when encryption is %s', (host, encryption) => {
    expect(mailServerAccess({ host, username: 'a', password: 'b' })).toMatchObject({ encryption });
  });

  it.each([
    [{ host: '' }, 'smtp.host'],
    [{ host: '${HOST}' }, 'smtp.host'],
    [{ host: 'a b' }, 'smtp.host'],
    [{ host: 'x', port: '0' }, 'smtp.port'],
    [{ host: 'x', port: '65536' }, 'smtp.port'],
    [{ host: 'x', port: 'hunter2' }, 'smtp.port'],
    [{ host: 'x', tlsCertSha256: 'hunter2' }, 'smtp.tls_cert_sha256'],
    [{ host: 'x', username: 'hunter2' }, 'smtp.password'],
    [{ host: 'x', password: 'hunter2' }, 'smtp.username'],
  ])('refuses %j', (server, phrase) => {
    const refused = () => mailServerAccess(server);
    expect(refused).toThrow(phrase);
    expect(refused).not.toThrow('hunter2');
  });
});
