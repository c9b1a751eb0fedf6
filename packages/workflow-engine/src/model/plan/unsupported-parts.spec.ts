import { parseDag } from '@weir/workflow-spec';
import { unsupportedParts } from './unsupported-parts';

const findParts = (text: string) => {
  const { dag, findings } = parseDag(text);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return unsupportedParts(dag);
};

describe('unsupportedParts', () => {
  it.each([
    ['a DAG', 'worker_selector: {gpu: "yes"}\nsteps: [echo]', []],
    [
      'a step',
      'steps: [{name: one, run: echo, worker_selector: {gpu: "yes"}}]',
      ['step "one": worker_selector of a step that calls no DAG'],
    ],
    ['a step that calls a DAG', 'steps: [{action: dag.run, with: {dag: x}, worker_selector: {gpu: "yes"}}]', []],
    ['local work', 'worker_selector: local\nsteps: [{run: echo, worker_selector: local}]', []],
    [
      'the body of a loop',
      'steps: [{foreach: {items: [1], steps: [{name: inner, run: echo, worker_selector: {gpu: "yes"}}]}}]',
      ['step "inner": worker_selector of a step that calls no DAG'],
    ],
    [
      'a handler',
      'handler_on: {failure: {name: h, run: echo, worker_selector: {gpu: "yes"}}}\nsteps: [echo]',
      ['step "h": worker_selector of a step that calls no DAG'],
    ],
  ])('finds a selector that cannot be followed in %s', (_, text, parts) => {
    expect(findParts(text)).toEqual(parts);
  });
});
