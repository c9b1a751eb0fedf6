import { findDependents, titleOf, toGraphItems, type GraphFilter, type GraphItem } from './graph-items';
import type { GraphStep } from './graph-step';

const step = (name: string, ...depends: readonly string[]): GraphStep => ({ name, depends });

function show(steps: readonly GraphStep[], filter: Partial<GraphFilter> = {}): readonly string[] {
  return toGraphItems(steps, { scope: 'all', ...filter }).map(describeItem);
}

function describeItem({ id, names, depends }: GraphItem): string {
  const count = names.length > 1 ? ` ×${names.length}` : '';
  return depends.length === 0 ? `${id}${count}` : `${id}${count} < ${depends.join(', ')}`;
}

const diamond = [step('fetch'), step('clean', 'fetch'), step('check', 'fetch'), step('load', 'clean', 'check')];

it('draws every step with what it depends on', () => {
  expect(show(diamond)).toEqual(['fetch', 'clean < fetch', 'check < fetch', 'load < clean, check']);
});

it('shows all direct and indirect dependencies of a step', () => {
  expect(show(diamond, { scope: 'upstream', origin: 'clean' })).toEqual(['fetch', 'clean < fetch']);
});

it('shows all direct and indirect dependents of a step', () => {
  expect(show(diamond, { scope: 'downstream', origin: 'check' })).toEqual(['check', 'load < check']);
});

it('shows all steps when no step is chosen for the direction', () => {
  expect(show(diamond, { scope: 'upstream' })).toHaveLength(4);
});

it('connects the steps after hidden steps to the steps before them', () => {
  expect(show(diamond, { hidden: new Set(['clean', 'check']) })).toEqual(['fetch', 'load < fetch']);
});

it('does not fold twenty steps between the same steps', () => {
  expect(show(fanOut(20))).toHaveLength(22);
});

it('folds more than twenty steps between the same steps into one', () => {
  expect(show(fanOut(30))).toEqual(['split', 'part-0 ×30 < split', 'join < part-0']);
});

it('does not fold steps with different dependents', () => {
  const steps = fanOut(30).map((one) => (one.name === 'join' ? step('join', 'part-1') : one));

  expect(show(steps)).toEqual(['split', 'part-0 ×29 < split', 'part-1 < split', 'join < part-1']);
});

it('shows folded steps one by one when they are unfolded', () => {
  expect(show(fanOut(30), { unfolded: new Set(['part-0']) })).toHaveLength(32);
});

it.each([
  [['table_0', 'table_1', 'table_23'], 'table_* ×3'],
  [['load eu', 'load us'], 'load * ×2'],
  [['eu-load', 'us-load'], '*-load ×2'],
  [['a', 'aa', 'aaa'], 'a* ×3'],
  [['fetch', 'mail'], 'fetch … ×2'],
  [['alone'], 'alone'],
])('names a stack by what its steps %j have in common', (names, title) => {
  expect(titleOf({ id: names[0] ?? '', names })).toBe(title);
});

it('finds the dependents of each step', () => {
  expect(findDependents(diamond).get('fetch')).toEqual(['clean', 'check']);
});

function fanOut(count: number): readonly GraphStep[] {
  const parts = Array.from({ length: count }, (_, index) => `part-${index}`);
  return [step('split'), ...parts.map((name) => step(name, 'split')), step('join', ...parts)];
}
