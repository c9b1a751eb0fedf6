import { isAppError } from '@weir/foundation';
import fc from 'fast-check';
import type { JsonValue } from '../../model/json';
import { resolveConsts, resolveEnv, resolveField, resolveText } from './resolve-text';
import type { Scope, StepValues } from './scope';

const scope: Scope = {
  params: new Map([
    ['region', 'eu'],
    ['1', 'first'],
  ]),
  env: new Map([
    ['HOME', '/home/a'],
    ['region', 'from host'],
    ['EMPTY', ''],
    ['CFG', '{"db":{"host":"pg"},"ports":[5,6]}'],
  ]),
  consts: new Map([['limit', '7']]),
  context: new Map([['run.id', 'run-1']]),
  foreach: new Map([['row', { name: 'Ada' }]]),
  item: { name: 'b' },
  steps: new Map<string, StepValues>([
    ['call', { outputs: new Map([['status', 'done']]), collected: { v: 'a', status: 'hidden' } }],
    ['many', { outputs: new Map([['total', 1]]), collected: [{ v: 'a' }] }],
    [
      'fetch',
      {
        stdout: '/logs/out',
        exitCode: 0,
        output: '{"a":[1,2]}',
        outputs: new Map<string, JsonValue>([
          ['rows', 3],
          ['meta', { size: { x: 1 } }],
        ]),
      },
    ],
  ]),
};

function catchReason(action: () => unknown): string | undefined {
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
    ['\\${params.region} \\${HOME} \\$HOME', '${params.region} \\${HOME} \\$HOME'],
    ['\\\\${params.region}', '\\\\eu'],
    ['\\\\\\${params.region}', '\\\\${params.region}'],
    ['${params.none} ${steps.a.outputs.b} ${env.HOME:-x} ${', '${params.none} ${steps.a.outputs.b} ${env.HOME:-x} ${'],
    ['$${params.region}', '$eu'],
    ['${consts.limit}|${context.run.id}|${foreach.row.name}', '7|run-1|Ada'],
    ['${steps.fetch.outputs.rows} ${steps.fetch.outputs.meta.size}', '3 {"x":1}'],
    ['${fetch.stdout} ${fetch.exit_code} ${fetch.output.a[1]} ${fetch.outputs.rows}', '/logs/out 0 2 3'],
    ['${CFG.db.host} ${CFG.ports[1]} ${CFG.none} ${CFG.ports.length}', 'pg 6 ${CFG.none} ${CFG.ports.length}'],
    ['${ITEM} ${ITEM.name}', '{"name":"b"} b'],
    [
      '${call.outputs} ${call.outputs.v} ${steps.call.outputs.v} ${call.outputs.status}',
      '{"v":"a","status":"hidden"} a a done',
    ],
    [
      '${many.outputs} ${many.outputs[0].v} ${many.outputs[1].v} ${many.outputs.total}',
      '[{"v":"a"}] a ${many.outputs[1].v} 1',
    ],
    ['${HOME:-${params.region}}', '${HOME:-eu}'],
    ['${env.__proto__} ${CFG.__proto__} ${CFG.constructor}', '${env.__proto__} ${CFG.__proto__} ${CFG.constructor}'],
    ['${steps.fetch} ${steps.fetch.outputs} ${context.run}', '${steps.fetch} ${steps.fetch.outputs} ${context.run}'],
    ['', ''],
  ])('resolves %j to %j', (text, expected) => {
    expect(resolveText(text, scope)).toBe(expected);
  });

  it('leaves the parameters of a run without any unchanged', () => {
    expect(resolveText('${params}', { ...scope, params: new Map() })).toBe('${params}');
  });

  it('reports references without a value', () => {
    const unresolved: string[] = [];
    resolveText('${params.none} ${env.NONE} $SHELL \\${env.ESCAPED}', {
      ...scope,
      unresolved: (reference) => unresolved.push(reference),
    });
    expect(unresolved).toEqual(['${params.none}', '${env.NONE}']);
  });

  // Quadratic work would exceed the time limit of the test.
  it('reads strings that open many references and close none', () => {
    for (const text of ['${X:-'.repeat(200_000), '${a.'.repeat(250_000), '\\'.repeat(400_000)])
      expect(resolveField(text, scope)).toBe(text);
  });

  it('does not expand a value again', () => {
    const params = new Map([['a', '${env.HOME}']]);
    expect(resolveText('${params.a}', { ...scope, params })).toBe('${env.HOME}');
  });

  it('refuses a result over the limit before building it', () => {
    const params = new Map([['a', 'x'.repeat(100_000)]]);
    expect(catchReason(() => resolveText('${params.a}'.repeat(100_000), { ...scope, params }))).toBe(
      'resolved_text_too_long',
    );
  });

  it('keeps every string unchanged when nothing has a value, and never throws', () => {
    const nothing = { params: new Map<string, string>(), env: new Map<string, string>() };
    const words = ['${', '}', '$', '\\', 'a', '.', '[0]', ':-', ':+', '-', 'params.x', 'steps.', 'env', '1', ' ', '😀'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        // Only a backslash that keeps a reference literal may be removed.
        expect(resolveText(text, nothing).replaceAll('\\', '')).toBe(text.replaceAll('\\', ''));
        expect(resolveField(text, nothing).length).toBeLessThanOrEqual(text.length);
        expect(resolveField(text, scope)).toEqual(expect.any(String));
      }),
    );
  });

  it('keeps a string without references unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = text.replaceAll('${', '');
        expect(resolveText(plain, scope)).toBe(plain);
      }),
    );
  });
});

describe('resolveField', () => {
  it.each([
    ['$HOME/${HOME} $1 ${1} $9', '/home/a//home/a first first $9'],
    ['${HOME:-x} ${NONE:-x} ${NONE-x} ${EMPTY:-x}|${EMPTY-x}|${NONE:=x}', '/home/a x x x||x'],
    ['${HOME:+y}|${NONE:+y}|${EMPTY:+y}|${EMPTY+y}', 'y|||y'],
    ['${NONE:-${OTHER:-$HOME}}/${params.none:-d}', '/home/a/d'],
    ['${NONE:-a}b} ${NONE:?no} ${#NONE} ${NONE#a}', 'ab} ${NONE:?no} ${#NONE} ${NONE#a}'],
    ['\\${HOME:-x} \\${params.region} \\\\$HOME \\\\\\${HOME}', '${HOME:-x} ${params.region} \\\\/home/a \\\\${HOME}'],
    ['${#HOME} ${#EMPTY}', '7 0'],
    ['${HOME#/} ${HOME#*/} ${HOME##*/} ${HOME#none}', 'home/a home/a a /home/a'],
    ['${HOME%a} ${HOME%/*} ${HOME%%/*}| ${HOME%[ab]}', '/home/ /home | /home/'],
    ['${HOME:1:4} ${HOME:1} ${HOME: -1} ${HOME:0:-2} ${HOME:9}|', 'home home/a a /home |'],
    [
      "'$HOME' '${HOME}' '${HOME:-x}' '${params.region}' it's $HOME",
      "'$HOME' '${HOME}' '${HOME:-x}' 'eu' it's /home/a",
    ],
    ['${run.id} ${dag.name}', 'run-1 ${dag.name}'],
    ['${NONE} $NONE $(date) ${', '${NONE} $NONE $(date) ${'],
  ])('resolves %j to %j', (text, expected) => {
    expect(resolveField(text, scope)).toBe(expected);
  });

  it('leaves words that are nested too deeply unchanged', () => {
    const deep = `${'${A:-'.repeat(20)}x${'}'.repeat(20)}`;
    expect(resolveField(deep, scope)).toBe(deep.slice(5 * 8, deep.length - 8));
  });

  it('never reads an undeclared parameter as a variable', () => {
    expect(resolveField('$PATH ${PATH}', { ...scope, params: new Map([['PATH', '/evil']]) })).toBe('$PATH ${PATH}');
  });
});

describe('resolveConsts', () => {
  it('works from top to bottom', () => {
    const consts = resolveConsts([
      { name: 'a', value: 1 },
      { name: 'b', value: '${consts.a}2 ${consts.c}' },
      { name: 'c', value: '${consts.b}' },
    ]);
    expect(Object.fromEntries(consts)).toEqual({ a: '1', b: '12 ${consts.c}', c: '12 ${consts.c}' });
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

  it('prefers entries to the environment', () => {
    expect(resolve(['A', '$region'], ['region', 'own'], ['B', '$region ${params.region}'])).toEqual({
      A: 'from host',
      region: 'own',
      B: 'own eu',
    });
  });

  it('is limited when entries double each other', () => {
    const entries = Array.from({ length: 60 }, (_, index) => ({
      name: `A${index + 1}`,
      value: `$A${index}$A${index}`,
    }));
    expect(catchReason(() => resolveEnv([{ name: 'A0', value: 'x' }, ...entries], scope))).toBe(
      'resolved_text_too_long',
    );
  });
});
