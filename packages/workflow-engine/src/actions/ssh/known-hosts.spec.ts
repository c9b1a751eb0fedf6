import { createHmac } from 'node:crypto';
import { judgeHostKey, knownKeyTypes } from './known-hosts';

const key = Buffer.from('a key');
const other = Buffer.from('another key');
const base64 = key.toString('base64');
const entry = (hosts: string, type = 'ssh-ed25519') => `${hosts} ${type} ${base64} comment`;

function hashed(name: string): string {
  const salt = Buffer.from('0123456789abcdef0123');
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
}

describe('judgeHostKey', () => {
  it.each([
    ['a plain name', entry('build.example'), 'build.example', 22],
    ['a name in a list', entry('a.example,build.example,10.0.0.1'), '10.0.0.1', 22],
    ['a name in other letters', entry('Build.Example'), 'BUILD.example', 22],
    ['a port of its own', entry('[build.example]:2222'), 'build.example', 2222],
    ['an address of version 6', entry('[::1]:2222'), '::1', 2222],
    ['a pattern', entry('*.ex?mple'), 'build.example', 22],
    ['a hashed name', entry(hashed('build.example')), 'build.example', 22],
    ['a hashed name with a port', entry(hashed('[build.example]:2222')), 'build.example', 2222],
    ['the second of two keys', `h ssh-rsa AAAA\r\n${entry('h')}`, 'h', 22],
  ])('knows a host by %s', (_, text, host, port) => {
    expect(judgeHostKey(text, { host, port }, key)).toBe('known');
  });

  it.each([
    ['nothing', ''],
    ['a comment', `# ${entry('h')}`],
    ['another port', entry('[h]:2222')],
    ['another hashed name', entry(hashed('other'))],
    ['a pattern that leaves it out', entry('*,!h')],
    ['an authority', `@cert-authority ${entry('h')}`],
    ['half a line', 'h ssh-ed25519'],
    ['a broken hash', entry('|1|x')],
  ])('does not know a host by %s', (_, text) => {
    expect(judgeHostKey(text, { host: 'h', port: 22 }, key)).toBe('unknown');
  });

  it('detects a key that differs from the known one', () => {
    expect(judgeHostKey(entry('h'), { host: 'h', port: 22 }, other)).toBe('changed');
  });

  it('refuses a revoked key, even a known one', () => {
    expect(judgeHostKey(`${entry('h')}\n@revoked ${entry('*')}`, { host: 'h', port: 22 }, key)).toBe('revoked');
  });

  it('matches a pattern of many stars without delay', () => {
    const host = 'a'.repeat(5_000);

    expect(judgeHostKey(entry(`${'*a'.repeat(500)}b`), { host, port: 22 }, key)).toBe('unknown');
  });
});

describe('knownKeyTypes', () => {
  it('names the key types of a known host, each once', () => {
    const text = [entry('h', 'ssh-rsa'), entry('*', 'ssh-rsa'), entry('h'), `@revoked ${entry('h', 'ssh-dss')}`];

    expect(knownKeyTypes(text.join('\n'), { host: 'h', port: 22 })).toEqual(['ssh-rsa', 'ssh-ed25519']);
  });
});
