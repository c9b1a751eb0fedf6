import { parseDag } from '@weir/workflow-spec';
import { mayRestart } from './step-snapshot';

const again = (keys: string): boolean => {
  const [step] = parseDag(`steps:\n  - name: s\n    ${keys}\n`).dag.steps;
  if (step === undefined) throw new Error('The spec of this case has no step.');
  return mayRestart(step, { status: 'running', retries: 0 });
};

describe('mayRunAgain', () => {
  it.each([
    ['action: state.get\n    with: { key: k }', true],
    ['action: state.list', true],
    ['action: state.diff\n    with: { key: k, value: 1 }', true],
    ['action: state.diff\n    with: { key: k, value: 1, update: false }', true],
    ['action: state.diff\n    with: { key: k, value: 1, update: true }', false],
    ["action: state.diff\n    with: { key: k, value: 1, update: '${IT}' }", false],
    ['action: state.set\n    with: { key: k, value: 1 }', false],
    ['action: state.delete\n    with: { key: k }', false],
    ['action: artifact.read\n    with: { path: a }', true],
    ['action: artifact.list', true],
    ['action: js.run\n    with: { code: "() => 1" }', true],
    ['action: artifact.write\n    with: { path: a, content: b }', false],
  ])('of a step with %s is %s', (keys, expected) => {
    expect(again(keys)).toBe(expected);
  });
});
