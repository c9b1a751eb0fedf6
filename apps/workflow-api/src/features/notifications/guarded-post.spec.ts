import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardedPost, type PostOptions } from './guarded-post';

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
