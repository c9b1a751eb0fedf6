import { findRegistry, registrySignIn } from './registry-sign-in';

const pair = { username: 'ada', password: 'a:b' };
const encoded = Buffer.from('ada:a:b').toString('base64');

describe('registrySignIn', () => {
  it.each([
    ['a map', { 'r.example:5000': pair }],
    ['one text of both', { 'r.example:5000': encoded }],
    ['a map with that text', { 'r.example:5000': { auth: encoded } }],
    ['JSON for the host', { 'r.example:5000': JSON.stringify(pair) }],
    ['JSON for all', JSON.stringify({ 'r.example:5000': pair })],
    ["the engine's own file", JSON.stringify({ auths: { 'r.example:5000': { auth: encoded } } })],
    ['an address of the host', { 'https://r.example:5000': pair }],
  ])('accepts %s', (_, auths) => {
    expect(registrySignIn(auths, 'r.example:5000/team/app:1')).toEqual({ ...pair, serveraddress: 'r.example:5000' });
  });

  it('finds the public registry by each of its names', () => {
    expect(registrySignIn({ 'https://index.docker.io/v1/': pair }, 'alpine')).toMatchObject(pair);
  });

  it('has no credentials for another registry', () => {
    expect(registrySignIn({ 'r.example': pair }, 'other.example/app')).toBeUndefined();
  });

  it.each([['{"broken": hunter2'], [{ 'r.example': 'hunter2' }]])('refuses %j without its text', (auths) => {
    const look = () => registrySignIn(auths, 'r.example/app');

    expect(look).toThrow('registry_auths');
    expect(look).not.toThrow('hunter2');
  });
});

describe('registryOf', () => {
  it.each([
    ['alpine:3', 'docker.io'],
    ['team/app', 'docker.io'],
    ['localhost/app', 'localhost'],
    ['host:5000/app@sha256:00', 'host:5000'],
  ])('%s is of %s', (image, host) => {
    expect(findRegistry(image)).toBe(host);
  });
});
