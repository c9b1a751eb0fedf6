import { parseDag } from '@weir/workflow-spec';
import { unavailableSecrets } from './unavailable-secrets';

const findParts = (secrets: string) =>
  unavailableSecrets(parseDag(`secrets: [${secrets}]\nsteps: [echo]\n`).dag.secrets ?? []);

describe('unavailableSecrets', () => {
  it('finds nothing in what can be asked for', () => {
    expect(findParts('{name: A, provider: env, key: B}, {name: C, provider: file, key: d}')).toEqual([]);
    expect(findParts('{name: A, provider: vault, key: a/b, options: {field: c}}')).toEqual([]);
  });

  it.each([
    ['{name: A, ref: a/b}', 'secrets.ref'],
    ['{name: A, provider: aws, key: b}', 'secrets: provider aws is not available'],
    ['{name: A, provider: file, key: b, options: {c: d}}', 'secrets: options of provider file'],
  ])('finds what cannot: %s', (secret, part) => {
    expect(findParts(secret)).toEqual([part]);
  });

  it('tells of a provider once', () => {
    expect(findParts('{name: A, provider: aws, key: b}, {name: C, provider: aws, key: d}')).toHaveLength(1);
  });
});
