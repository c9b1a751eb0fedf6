import { failedError } from './call-errors';
import { classifyFailure } from './failures';
import { aCall } from './testing/transport-rig';

const state = { signal: new AbortController().signal, isTunnelling: false };
const errorWithCode = (code: string) => Object.assign(new Error('private text'), { code });
const errorFor = (cause: unknown, isTunnelling = false) =>
  failedError(classifyFailure(cause, { ...state, isTunnelling }), {
    call: aCall('https://sts.example.test/v1/token'),
    attempts: 1,
    now: 0,
  });

describe('a failure without an answer', () => {
  it.each(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])('suggests the clock as the cause for %s', (code) => {
    expect(errorFor(errorWithCode(code))).toMatchObject({
      reason: 'tls_failed',
      message: `No trusted TLS connection to sts.example.test for the token exchange: ${code}. Check the clock of the runner and the certificate.`,
    });
  });

  it.each(['EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE'])('is temporary after %s', (code) => {
    expect(classifyFailure(errorWithCode(code), state)).toMatchObject({
      reason: 'network_unreachable',
      isTransient: true,
    });
  });

  it.each([
    ['ENOTFOUND', 'network_unreachable'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_failed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
    ['HPE_INVALID_CONSTANT', 'answer_malformed'],
  ])('is permanent after %s', (code, reason) => {
    expect(classifyFailure(errorWithCode(code), state)).toMatchObject({ reason, isTransient: false });
  });

  it('does not repeat the text of an error', () => {
    expect(errorFor(errorWithCode('ENOTFOUND')).message).not.toContain('private');
    expect(errorFor('thrown text').message).toBe(
      'sts.example.test could not be reached for the token exchange: connection closed.',
    );
    expect(errorFor(new Error('private text'), true).message).not.toContain('private');
  });
});
