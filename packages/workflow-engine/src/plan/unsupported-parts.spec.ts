import { parseDag } from '@weir/workflow-spec';
import { unsupportedParts } from './unsupported-parts';

const findParts = (text: string) => {
  const { dag, findings } = parseDag(text);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return unsupportedParts(dag);
};

describe('unsupportedParts', () => {
  it.each([
    ['a DAG', 'worker_selector: {gpu: "yes"}\nsteps: [echo]', ['DAG: worker_selector']],
    ['a step', 'steps: [{name: one, run: echo, worker_selector: {gpu: "yes"}}]', ['step "one": worker_selector']],
    ['local work', 'worker_selector: local\nsteps: [{run: echo, worker_selector: local}]', []],
    [
      'the body of a loop',
      'steps: [{foreach: {items: [1], steps: [{name: inner, run: echo, worker_selector: {gpu: "yes"}}]}}]',
      ['step "inner": worker_selector'],
    ],
    [
      'a handler',
      'handler_on: {failure: {name: h, run: echo, worker_selector: {gpu: "yes"}}}\nsteps: [echo]',
      ['step "h": worker_selector'],
    ],
  ])('finds a selector of other workers in %s', (_, text, parts) => {
    expect(findParts(text)).toEqual(parts);
  });
});
