import type { ServiceCall } from '../cloud/service-call';
import { someSettings } from '../testing/settings';
import { recordResponses } from './check-recorder';
import { listCheckRows } from './format-check';

const call: ServiceCall = {
  service: 'sts',
  kind: 'token exchange',
  method: 'POST',
  url: new URL('https://sts.test'),
  headers: {},
  secrets: [],
};

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const aToken = (claims: object): string => `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}.c2ln`;

describe('recordResponses', () => {
  it('records nothing about the clock from a response without a date, and waits like the transport', async () => {
    const waited: number[] = [];
    const transport = recordResponses(
      {
        pause: (milliseconds) => Promise.resolve(void waited.push(milliseconds)),
        send: () =>
          Promise.resolve({ status: 200, body: '', retryAfter: undefined, date: undefined, location: undefined }),
      },
      Date.now,
    );
    await transport.send(call);
    await transport.pause(5);

    expect([...transport.record.accepted]).toEqual(['sts']);
    expect(transport.record.clockSkewSeconds()).toBeUndefined();
    expect(waited).toEqual([5]);
  });
});

describe('listCheckRows', () => {
  const rows = (claims: object) => {
    const settings = { ...someSettings(), oidcSource: { kind: 'token', token: 'a.b.c' } } as const;
    const record = { accepted: new Set(['sts'] as const), clockSkewSeconds: () => 0 };
    return new Map(listCheckRows({ settings, record, oidcToken: aToken(claims), proxies: [] }));
  };

  it('does not check a request of the runner if the token comes from another CI system', () => {
    const found = rows({ iat: 1, exp: 301, sub: 'job' });

    expect([...found.keys()]).not.toContain('The job gets an OIDC token');
    expect(found.get('The provider trusts the token')).toBe('yes');
    expect(found.get('Claims')).toContain('valid for 300 s');
  });

  it.each([{ iat: 1 }, { exp: 1 }])('reports no lifetime of a token with %j', (claims) => {
    expect(rows(claims).get('Claims')).not.toContain('valid for');
  });
});
