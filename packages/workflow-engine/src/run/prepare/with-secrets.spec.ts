import { resolveField, type Scope } from '@weir/workflow-spec/values';
import type { RunValues } from '../../values/run-values/run-values';
import { maskScope } from '../../values/masking/mask-scope';
import { withSecrets } from './with-secrets';

const scope: Scope = {
  params: new Map([['A', 'param']]),
  env: new Map([
    ['A', 'of env'],
    ['B', 'b'],
  ]),
};
const values: RunValues = {
  runKey: 'run-1',
  params: [{ name: 'A', value: 'param' }],
  info: { dagName: 'demo', runId: 'one', runLogFile: '/l', workDir: '/w', params: [] },
  env: { A: 'of env', B: 'b' },
  scope,
  userShell: undefined,
  folder: '/w',
  isFolderKnown: true,
};

describe('withSecrets', () => {
  const given = withSecrets(values, new Map([['A', 'hunter22']]));

  it('gives secrets precedence in the environment, and puts them nowhere else', () => {
    expect(given.env).toEqual({ A: 'hunter22', B: 'b' });
    expect(resolveField('${A} ${env.A} ${params.A} ${B}', given.scope)).toBe('hunter22 hunter22 param b');
    expect(given.params).toEqual(values.params);
    expect(JSON.stringify(given.info)).not.toContain('hunter22');
  });

  it('hides them', () => {
    expect(given.masker?.text('a hunter22')).toBe('a *****');
  });

  it('hides nothing without secrets', () => {
    expect(withSecrets(values, new Map()).masker).toBeUndefined();
  });
});

describe('hiddenScope', () => {
  it('shows secrets as hidden, even inside other variables', () => {
    const { masker } = withSecrets(values, new Map([['A', 'hunter22']]));
    const url = { ...scope, env: new Map([['URL', 'http://u:hunter22@host']]) };

    expect(resolveField('${URL}', maskScope(url, masker))).toBe('http://u:*****@host');
    expect(maskScope(url, undefined)).toBe(url);
  });
});
