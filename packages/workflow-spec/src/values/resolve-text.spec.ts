import { isAppError } from '@weir/errors';
import fc from 'fast-check';
import type { Scope } from './references';
import { resolveEnv, resolveText } from './resolve-text';

const scope: Scope = {
  params: new Map([
    ['region', 'eu'],
    ['1', 'first'],
  ]),
  env: new Map([
    ['HOME', '/home/a'],
    ['region', 'from host'],
  ]),
};

function reasonOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (isAppError(error)) return error.reason;
    throw error;
  }
  return undefined;
}

describe('resolveText', () => {
  it.each([
    ['${params.region}-${env.HOME}', 'eu-/home/a'],
    ['${params.1}', 'first'],
    ['${params}', '{"1":"first","region":"eu"}'],
    ['$HOME $(date) `date` ${HOME} $1 $$', '$HOME $(date) `date` ${HOME} $1 $$'],
    ['\\${params.region}', '\\${params.region}'],
    ['\\\\${params.region}', '\\\\eu'],
    ['\\\\\\${params.region}', '\\\\\\${params.region}'],
    ['${params.none} ${steps.a.outputs.b} ${env.HOME:-x} ${', '${params.none} ${steps.a.outputs.b} ${env.HOME:-x} ${'],
    ['$${params.region}', '$eu'],
    ['', ''],
  ])('turns %j into %j', (text, expected) => {
    expect(resolveText(text, scope)).toBe(expected);
  });

  it('tells which references have no value', () => {
    const unresolved: string[] = [];
    resolveText('${params.none} ${env.NONE} $SHELL \\${env.ESCAPED}', {
      ...scope,
      unresolved: (reference) => unresolved.push(reference),
    });
    expect(unresolved).toEqual(['${params.none}', '${env.NONE}']);
  });

  it('does not look at a value again', () => {
    const params = new Map([['a', '${env.HOME}']]);
    expect(resolveText('${params.a}', { ...scope, params })).toBe('${env.HOME}');
  });

  it('refuses a result over the limit before it is built', () => {
    const params = new Map([['a', 'x'.repeat(100_000)]]);
    expect(reasonOf(() => resolveText('${params.a}'.repeat(100_000), { ...scope, params }))).toBe(
      'resolved_text_too_long',
    );
  });

  it('leaves a text without references alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = text.replaceAll('${', '');
        expect(resolveText(plain, scope)).toBe(plain);
      }),
    );
  });
});

describe('resolveEnv', () => {
  const resolve = (...entries: [string, string][]) =>
    Object.fromEntries(
      resolveEnv(
        entries.map(([name, value]) => ({ name, value })),
        scope,
      ),
    );

  it('works from top to bottom and sees earlier entries', () => {
    expect(resolve(['A', '1'], ['B', '${A}2'], ['C', '$B/${env.A}'])).toEqual({ A: '1', B: '12', C: '12/1' });
  });

  it('does not see later entries', () => {
    expect(resolve(['A', '$B'], ['B', '1'])).toEqual({ A: '$B', B: '1' });
  });

  it('lets an entry extend a host value of the same name', () => {
    expect(resolve(['HOME', '${HOME}/x'], ['HOME', '$HOME/y'])).toEqual({ HOME: '/home/a/x/y' });
  });

  it('prefers entries to parameters and parameters to host values', () => {
    expect(resolve(['A', '$region'], ['region', 'own'], ['B', '$region ${params.region}'])).toEqual({
      A: 'eu',
      region: 'own',
      B: 'own eu',
    });
  });

  it('stays within bounds when entries double each other', () => {
    const entries = Array.from({ length: 60 }, (_, index) => ({
      name: `A${index + 1}`,
      value: `$A${index}$A${index}`,
    }));
    expect(reasonOf(() => resolveEnv([{ name: 'A0', value: 'x' }, ...entries], scope))).toBe('resolved_text_too_long');
  });
});
