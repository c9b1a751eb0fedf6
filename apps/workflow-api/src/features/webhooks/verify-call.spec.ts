import { createHmac } from 'node:crypto';
import { verifyCall } from './verify-call';

const call = (body: string, headers: Record<string, string>) => ({ body: Buffer.from(body), headers, json: {} });
const now = new Date('2026-01-01T00:00:00Z');

describe('verifyCall', () => {
  it('accepts the signature that GitHub documents as an example', () => {
    const signed = call('Hello, World!', {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    });
    const question = { settings: { style: 'github' as const }, secret: "It's a Secret to Everybody", now };

    expect(verifyCall('github', { ...question, call: signed })).toHaveProperty('replayKey');
    expect(verifyCall('github', { ...question, call: { ...signed, body: Buffer.from('Hello, World?') } })).toEqual({
      refusal: 'signature_wrong',
    });
  });

  it.each([
    ['stripe', { 'stripe-signature': 't=1767225600,v0=00' }, 'signature_malformed'],
    ['stripe', { 'stripe-signature': 'v1=00' }, 'timestamp_missing'],
    ['stripe', { 'stripe-signature': 't=9e9,v1=00' }, 'timestamp_missing'],
    ['stripe', { 'stripe-signature': 't=1767226600,v1=00' }, 'timestamp_off'],
    ['standard', { 'webhook-signature': 'v1,00', 'webhook-timestamp': '1767225600' }, 'delivery_id_missing'],
    [
      'standard',
      { 'webhook-signature': 'v1a,00', 'webhook-timestamp': '1767225600', 'webhook-id': 'm' },
      'signature_malformed',
    ],
    ['standard', { 'webhook-signature': 'v1,00', 'webhook-id': 'm' }, 'timestamp_missing'],
    ['hmac', { 'x-signature-256': 'sha256=' }, 'signature_wrong'],
    ['hmac', { 'x-signature-256': '' }, 'signature_missing'],
  ] as const)('refuses a call of the style %s with %j: %s', (style, headers, refusal) => {
    const question = { settings: { style }, secret: 'whsec_c2VjcmV0', now, call: call('{}', headers) };

    expect(verifyCall(style, question)).toEqual({ refusal });
  });

  it('recognises a repeated call by the id that a hmac signature covers, even with another time', () => {
    const settings = { style: 'hmac', deliveryHeader: 'X-Id' } as const;
    const question = { settings, secret: 'k', now, call: call('{}', { 'x-signature-256': 'sha256=00' }) };

    expect(verifyCall('hmac', question)).toEqual({ refusal: 'delivery_id_missing' });
  });

  it('covers the name of a runtime profile by the HMAC', () => {
    const sign = (text: string) => `sha256=${createHmac('sha256', 'k').update(text).digest('hex')}`;
    const verify = (headers: Record<string, string>) =>
      verifyCall('hmac', { settings: { style: 'hmac' }, secret: 'k', now, call: call('{}', headers) });
    const refusal = { refusal: 'signature_wrong' };

    const named = { 'x-dagu-profile': 'staging', 'x-signature-256': sign('x-dagu-profile:staging\n{}') };
    expect(verify(named)).toHaveProperty('replayKey');
    expect(verify({ ...named, 'x-dagu-profile': 'production' })).toEqual(refusal);
    expect(verify({ 'x-weir-profile': 'staging', 'x-signature-256': sign('{}') })).toEqual(refusal);
    expect(verify({ 'x-signature-256': named['x-signature-256'] })).toEqual(refusal);
  });
});
