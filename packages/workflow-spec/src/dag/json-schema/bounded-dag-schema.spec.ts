import Ajv from 'ajv';
import { boundedDagSchema } from './bounded-dag-schema';
import { dagSchema } from './dag-schema';

const compile = (schema: Readonly<Record<string, unknown>>) => {
  const ajv = new Ajv({ strict: false });
  return ajv.compile(schema);
};

/** A loop in a loop, so deep. */
const nested = (depth: number, innermost: object): object =>
  depth === 0
    ? innermost
    : { name: `level-${depth}`, foreach: { items: ['a'], steps: [nested(depth - 1, innermost)] } };

describe('boundedDagSchema', () => {
  it('can be written out without any reference, as some tools do', () => {
    const { definitions } = boundedDagSchema() as { readonly definitions: Readonly<Record<string, unknown>> };
    const follow = (part: unknown, path: readonly string[]): void => {
      if (typeof part !== 'object' || part === null) return;
      for (const [key, inner] of Object.entries(part)) {
        if (key !== '$ref' || typeof inner !== 'string') {
          follow(inner, path);
          continue;
        }
        const name = inner.replace('#/definitions/', '');
        if (path.includes(name)) throw new Error(`${[...path, name].join(' > ')} is recursive.`);
        if (!(name in definitions)) throw new Error(`${name} is not defined.`);
        follow(definitions[name], [...path, name]);
      }
    };
    expect(() => {
      follow({ ...boundedDagSchema(), definitions: {} }, []);
    }).not.toThrow();
  });

  it('describes every definition of the full schema', () => {
    expect(Object.keys(boundedDagSchema().definitions ?? {})).toEqual(
      expect.arrayContaining(Object.keys(dagSchema().definitions ?? {})),
    );
  });

  // Ajv takes a second for it.
  const bounded = compile(boundedDagSchema());
  const good = { run: 'echo' };
  const bad = { run: 'echo', unknown_key: 1 };

  it.each([
    ['a step', 0, bad, false],
    ['a step of a loop in a loop', 2, bad, false],
    ['a good step of a loop in a loop', 2, good, true],
    ['a good step, deeper than it describes', 5, good, true],
    ['a bad step, deeper than it describes', 5, bad, true],
  ])('judges %s', (_case, depth, step, expected) => {
    expect(bounded({ steps: [nested(depth, step)] })).toBe(expected);
  });

  it('agrees with the full schema on valid files, at any depth', () => {
    const full = compile(dagSchema());
    for (let depth = 0; depth < 6; depth += 1) {
      const dag = { steps: [nested(depth, good)] };
      expect([full(dag), bounded(dag)]).toEqual([true, true]);
    }
  });
});
