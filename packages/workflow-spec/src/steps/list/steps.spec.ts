import fc from 'fast-check';
import { parseDag } from '../../dag/document/parse-dag';
import { findCycles } from './find-cycles';
import { stepIdPattern } from '../../keys/step-keys/identity-keys';

const read = (text: string) => parseDag(text);
const codes = (text: string) => read(text).findings.map((finding) => finding.code);
const messages = (text: string) => read(text).findings.map((finding) => finding.message);
const edges = (text: string) => Object.fromEntries(read(text).dag.steps.map((step) => [step.name, step.depends]));

describe('steps', () => {
  it('may be a map from name to step', () => {
    const text = 'steps:\n  first: echo 1\n  second: {run: echo 2, depends: first}\n';
    expect([edges(text), codes(text)]).toEqual([{ first: [], second: ['first'] }, []]);
  });

  it.each([
    ['an ID', 'id: a-b'],
    ['a name', 'name: "a-b\\u0007"'],
    ['a misspelt key', 'idd: a-b'],
  ])('are found by %s that is refused', (_, key) => {
    const depends = key.startsWith('name') ? '"a-b\\u0007"' : 'a-b';
    const text = `steps:\n  - {${key}, run: x}\n  - {run: x, depends: ${depends}}\n`;
    expect(codes(text)).toHaveLength(1);
    expect(read(text).dag.steps[1]?.depends).toEqual(['step_1']);
  });

  it('get names that are unique and stable', () => {
    const text =
      'steps:\n  - echo\n  - {name: step_1, run: x}\n  - {id: mine, run: x}\n  - {name: step_4, run: x}\n  - echo\n';
    expect(Object.keys(edges(text))).toEqual(['step_1_2', 'step_1', 'mine', 'step_4', 'step_5']);
  });

  it.each([
    ['steps: []', 'steps must be a list or a map with at least one step'],
    ['steps: {}', 'steps must be a list or a map with at least one step'],
    ['steps: echo', 'steps must be a list or a map of steps'],
    ['name: a', 'steps must be given'],
    ['steps: [{name: a}]', 'run is required'],
    ['steps: [{run: }]', 'run is required'],
    ['steps: {a: }', 'must be a string or a list'],
    ['steps: [{run: " "}]', 'must not be empty'],
    ['steps: [{run: []}]', 'at least one command'],
    ['steps: [{run: {a: b}}]', 'must be a string or a list'],
    ['type: graph\nsteps: [[a, b]]', "type 'chain'"],
    ['type: chain\nsteps: [[a, [b]]]', 'cannot contain another one'],
    ['type: graph\nsteps: [{name: a, run: x}, {name: a, run: y}]', 'step name must be unique'],
    ['type: graph\nsteps: [{id: a, run: x}, {id: a, run: y}]', 'duplicate step ID'],
    ['type: graph\nsteps: [{name: a, run: x}, {name: b, id: a, run: y}]', 'another step has this name'],
    ['steps: [{id: 1a, run: x}]', 'invalid step ID format'],
    [`steps: [{id: ${'a'.repeat(41)}, run: x}]`, 'invalid step ID format'],
    ['steps: [{id: stdout, run: x}]', 'reserved word'],
    [`steps: [{name: ${'é'.repeat(128)}, run: x}]`, '255 bytes or less'],
    ['steps: [{name: "a\\nb", run: x}]', 'line breaks'],
    ['steps: {a: {name: b, run: x}}', 'cannot have a second name'],
    ['steps: {"": x}', 'step name must not be empty'],
    ['steps: [{name: a, run: x, depends: [b]}]', 'depends on non-existent step "b"'],
    ['steps: [{name: a, run: x, depends: a}]', 'depends on itself'],
    ['steps: [{name: a, run: x, depends: {b: c}}]', 'must be a string'],
    ['steps: [{name: a, run: x, shell: sh, with: {shell: bash}}]', 'shell cannot be used together with with.shell'],
    ['steps: [{name: a, run: x, with: {timeout: 1}}]', 'the with of run has invalid keys: "timeout"'],
  ])('%j is refused', (text, phrase) => {
    expect(messages(text)).toEqual([expect.stringContaining(phrase)]);
  });

  it.each(['command', 'script'])('refuse run together with %s', (key) => {
    expect(messages(`steps: [{name: a, run: x, ${key}: y}]`)).toContain(`run cannot be used together with ${key}`);
  });

  it('keep one and warn when a dependency is named twice, by name or ID', () => {
    const text = 'steps: [{name: a b, id: ab, run: x}, {name: c, run: x, depends: [ab, a b]}]';
    expect([edges(text).c, codes(text)]).toEqual([['a b'], ['duplicate_dependency']]);
  });

  it('suggest a step for a misspelled dependency', () => {
    expect(messages('steps: [{name: fetch, run: x}, {name: b, run: x, depends: fecth}]')).toEqual([
      'step "b" depends on non-existent step "fecth" (did you mean "fetch"?)',
    ]);
  });

  it('may state that they have no dependencies', () => {
    expect(codes('steps: [{run: x, depends: []}, {run: y, depends: }]')).toEqual([]);
  });
});

describe('a chain', () => {
  it('runs each step after the previous one, and groups in parallel', () => {
    const text = 'type: chain\nsteps:\n  - echo 1\n  - [echo 2, {name: b, run: x}]\n  - []\n  - echo 4\n';
    expect(edges(text)).toEqual({ step_1: [], step_2: ['step_1'], b: ['step_1'], step_4: ['step_2', 'b'] });
  });

  it('refuses depends', () => {
    expect(messages('type: chain\nsteps: [a, {run: x, depends: step_1}]')).toEqual([
      "depends is not allowed in a DAG of type 'chain'",
    ]);
  });
});

describe('a cycle', () => {
  it('is reported once, with its path, at one of its edges', () => {
    const { findings } = read(`steps:
  - {name: start, run: x}
  - {name: a, run: x, depends: [start, c]}
  - {name: b, run: x, depends: a}
  - {name: c, run: x, depends: b}
  - {name: after, run: x, depends: c}
`);
    expect(findings).toEqual([
      expect.objectContaining({ code: 'dependency_cycle', line: 3, column: 40, path: '/steps/1/depends/1' }),
    ]);
    expect(findings[0]?.message).toBe('cyclic plan detected: "a" waits for "c" waits for "b" waits for "a"');
  });

  it('is reported once for each component', () => {
    const pair = (x: string, y: string) =>
      `  - {name: ${x}, run: x, depends: ${y}}\n  - {name: ${y}, run: x, depends: ${x}}\n`;
    expect(codes(`steps:\n${pair('a', 'b')}${pair('c', 'd')}`)).toEqual(['dependency_cycle', 'dependency_cycle']);
  });

  it('of ten thousand steps is found without recursion', () => {
    const size = 10_000;
    const graph = new Map(
      Array.from({ length: size }, (_, index) => [`s${index}`, [{ name: `s${(index + 1) % size}` }]] as const),
    );
    expect(findCycles(graph).map((cycle) => cycle.length)).toEqual([size]);
  });

  it('is found exactly when no order of the steps exists', () => {
    const size = 8;
    const edge = fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).filter(([from, to]) => from !== to);
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 14 }), (list) => {
        const graph = new Map(
          Array.from({ length: size }, (_, from) => [
            String(from),
            list.filter((found) => found[0] === from).map((found) => ({ name: String(found[1]) })),
          ]),
        );
        const cycles = findCycles(graph);
        expect(cycles.length > 0).toBe(!hasOrder(size, list));
        for (const cycle of cycles) {
          cycle.forEach((name, index) => {
            const next = cycle[(index + 1) % cycle.length];
            expect(graph.get(name)?.map((found) => found.name)).toContain(next);
          });
        }
      }),
    );
  });
});

/** Repeatedly removes steps without dependencies. */
function hasOrder(size: number, list: readonly (readonly [number, number])[]): boolean {
  const left = new Set(Array.from({ length: size }, (_, step) => step));
  for (let round = 0; round < size; round += 1) {
    for (const step of left) {
      if (!list.some(([from, to]) => from === step && left.has(to))) left.delete(step);
    }
  }
  return left.size === 0;
}

describe('stepIdPattern', () => {
  it.each([
    ['a', true],
    ['A_1', true],
    ['a'.repeat(40), true],
    ['_a', false],
    ['a-b', false],
    ['', false],
  ])('matches %j: %s', (id, matches) => expect(stepIdPattern.test(id)).toBe(matches));
});
