import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardedPost, isAllowedAddress, type PostOptions } from './guarded-post';

describe('isAllowedAddress', () => {
  it.each([
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    'fe80::1',
    'fd00::1',
    '0.0.0.0',
  ])('refuses %s', (address) => expect(isAllowedAddress(address, [])).toBe(false));
  it.each(['::ffff:127.0.0.1', '[::1]', '224.0.0.1', '100.64.0.1', '64:ff9b::a00:1', '2002:a00:1::'])(
    'refuses %s',
    (address) => expect(isAllowedAddress(address, ['10.0.0.0/8'])).toBe(false),
  );
  it('accepts public addresses, and those of the allowed networks', () => {
    expect(isAllowedAddress('93.184.216.34', [])).toBe(true);
    expect(isAllowedAddress('10.1.2.3', ['10.0.0.0/8', 'fd00::/8'])).toBe(true);
  });
});

describe('guardedPost', () => {
  const answered: (typeof answers)[number][] = [];
  const answers: readonly (readonly string[])[] = [['127.0.0.1'], ['10.0.0.1']];
  const resolve: PostOptions['resolve'] = (_name, _options, done) => {
    const next = answers[Math.min(answered.length, 1)] ?? [];
    answered.push(next);
    done(
      null,
      next.map((address) => ({ address, family: 4 })),
    );
  };
  const server = createServer((_request, response) => response.end());
  let url: string;

  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://rebound.example:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => server.close());

  it('connects to the checked address, even if the name resolves to another one afterwards', async () => {
    await expect(guardedPost(url, '{}', {}, { allowedNetworks: ['127.0.0.0/8'], resolve })).resolves.toEqual({
      status: 200,
    });
    expect(answered).toEqual([['127.0.0.1']]);
  });

  it('refuses a name with one forbidden address', async () => {
    const mixed: PostOptions['resolve'] = (_name, _options, done) => {
      done(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    };

    await expect(guardedPost(url, '{}', {}, { allowedNetworks: [], resolve: mixed })).resolves.toEqual({
      problem: expect.stringContaining('not public') as string,
    });
  });
});
