import fc from 'fast-check';
import { provider } from '../testing/read-inputs';
import { parseProvider } from './provider';

const universe = 'googleapis.com';
const parts = { name: provider, projectNumber: '123456', pool: 'ci-pool', provider: 'ci-provider' };

describe('parseProvider', () => {
  it('parses a full name', () => {
    expect(parseProvider(provider, universe)).toEqual({ ok: true, value: parts });
  });

  it.each([
    '//iam.googleapis.com/',
    'https://iam.googleapis.com/',
    'https://iam.googleapis.com/v1/',
    '//iam.cloud.example/',
    'https://iam.cloud.example/',
  ])('removes the prefix %s', (prefix) => {
    expect(parseProvider(`${prefix}${provider}`, 'cloud.example')).toEqual({ ok: true, value: parts });
  });

  it.each([
    ['a pool', provider.replace('/providers/ci-provider', ''), 'names a pool, not a provider'],
    ['a project id', provider.replace('123456', 'demo-project'), 'contains a project id instead of the project number'],
    ['a slash at the end', `${provider}/`, 'ends with a slash'],
    ['a slash at the start', `/${provider}`, 'starts with a slash'],
    ['a prefix of another host', `//iam.other.example/${provider}`, 'starts with a slash'],
    ['a principal set', `principalSet://iam.googleapis.com/${provider}`, 'is a principal of the pool'],
    ['a workforce pool', 'locations/global/workforcePools/people/providers/idp', 'names a workforce pool'],
    ['another location', provider.replace('global', 'europe-west1'), 'names a location other than global'],
    ['a short name', 'ci-provider', 'is a short name'],
    ['upper case', provider.replace('ci-pool', 'CI-Pool'), 'is not the name of a provider'],
    ['a pool name of three characters', provider.replace('ci-pool', 'abc'), 'is not the name of a provider'],
    ['a project number that is none', provider.replace('123456', '0'), 'is not the name of a provider'],
  ])('names %s and shows the expected form', (_, text, sentence) => {
    const result = parseProvider(text, universe);

    expect(result).toMatchObject({ ok: false, reason: 'provider_invalid' });
    expect(JSON.stringify(result)).toContain(sentence);
    expect(JSON.stringify(result)).toContain('projects/<project number>/locations/global');
  });

  it.each([
    ['quotes', `"${provider}"`, 'text_quoted'],
    ['one stray quote', `${provider}'`, 'text_quoted'],
    ['a shell variable', '$PROVIDER', 'text_not_expanded'],
    ['a shell variable in braces', '${PROVIDER}', 'text_not_expanded'],
    ['an expression that nobody expanded', '${{ vars.PROVIDER }}', 'text_not_expanded'],
    ['a space', provider.replace('ci-pool', 'ci pool'), 'text_with_spaces'],
    ['a line break', `${provider}\n${provider}`, 'text_with_spaces'],
  ])('distinguishes %s', (_, text, reason) => {
    expect(parseProvider(text, universe)).toMatchObject({ ok: false, reason });
  });

  it('reports several errors at once', () => {
    const result = parseProvider('projects/demo-project/locations/global/workloadIdentityPools/ci-pool', universe);

    expect(JSON.stringify(result)).toContain('names a pool');
    expect(JSON.stringify(result)).toContain('It contains a project id instead');
  });

  it('does not repeat text that could be a misplaced key', () => {
    expect(JSON.stringify(parseProvider('{"private_key":"abc"}', universe))).not.toContain('abc');
    expect(JSON.stringify(parseProvider('k'.repeat(500), universe))).toContain('a string of 500 characters');
  });

  it('accepts every name of the grammar and returns its parts', () => {
    const word = fc.stringMatching(/^[a-z0-9-]{4,32}$/);
    fc.assert(
      fc.property(fc.integer({ min: 1 }), word, word, (number, pool, id) => {
        const name = `projects/${number}/locations/global/workloadIdentityPools/${pool}/providers/${id}`;
        expect(parseProvider(name, universe)).toEqual({
          ok: true,
          value: { name, projectNumber: String(number), pool, provider: id },
        });
      }),
    );
  });

  it('refuses a name with an additional character', () => {
    fc.assert(
      fc.property(fc.nat(provider.length), fc.constantFrom('/', ' ', '"', '%', 'Z', '\u0000', 'é'), (place, extra) => {
        const text = `${provider.slice(0, place)}${extra}${provider.slice(place)}`;
        expect(parseProvider(text, universe).ok).toBe(false);
      }),
    );
  });
});
