import type { ServerMetadata } from 'openid-client';
import { checkFlow, checkGroups, checkKeys, checkScopes } from './metadata-checks';

const issuer = 'https://id.example.com';
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ['code', 'id_token'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['openid', 'email'],
  claims_supported: ['sub', 'realm_access'],
};

/** The description of a provider that leaves out what is undefined. */
const withChange = (change: object): ServerMetadata =>
  JSON.parse(JSON.stringify({ ...metadata, ...change })) as ServerMetadata;

describe('the flow', () => {
  it.each([
    ['passed', 'all that is needed', {}],
    ['passed', 'no list of response types', { response_types_supported: undefined }],
    ['warning', 'no word about PKCE', { code_challenge_methods_supported: undefined }],
    ['failed', 'only plain PKCE', { code_challenge_methods_supported: ['plain'] }],
    ['failed', 'only implicit sign-ins', { response_types_supported: ['id_token'] }],
    ['failed', 'no authorization endpoint', { authorization_endpoint: undefined }],
    ['failed', 'no token endpoint', { token_endpoint: undefined }],
  ])('is %s with %s', (result, _case, change) => {
    expect(checkFlow(withChange(change))).toMatchObject({ result });
  });
});

describe('the scopes', () => {
  it.each([
    ['passed', ['openid', 'email'], {}],
    ['passed', ['openid', 'groups'], { scopes_supported: undefined }],
    ['failed', ['email'], {}],
  ])('are %s for %j', (result, scopes, change) => {
    expect(checkScopes(withChange(change), scopes)).toMatchObject({ result });
  });

  it('are named where the provider does not list them', () => {
    expect(checkScopes(metadata, ['openid', 'groups', 'email', 'teams'])).toEqual({
      result: 'warning',
      message: 'The provider does not list these scopes: groups, teams.',
    });
  });
});

describe('the groups', () => {
  it.each([
    ['passed', 'realm_access.roles', {}],
    ['passed', 'groups', { claims_supported: undefined }],
    ['passed', 'https://example.com/groups', { claims_supported: ['https://example.com/groups'] }],
    ['warning', 'groups', {}],
  ])('are %s for the claim %s', (result, claim, change) => {
    expect(checkGroups(withChange(change), claim)).toMatchObject({ result });
  });
});

describe('the keys', () => {
  it.each([
    ['passed', 'a key for signatures', { keys: [{ kty: 'RSA', use: 'sig' }] }],
    ['passed', 'a key for everything', { keys: [{ kty: 'EC' }] }],
    ['failed', 'a key for encryption', { keys: [{ kty: 'RSA', use: 'enc' }] }],
    ['failed', 'a shared secret', { keys: [{ kty: 'oct', use: 'sig' }] }],
    ['failed', 'an empty list', { keys: [] }],
    ['failed', 'another answer', 'keys'],
    ['failed', 'no answer', null],
  ])('are %s with %s', (result, _case, answer) => {
    expect(checkKeys(answer)).toMatchObject({ result });
  });
});
