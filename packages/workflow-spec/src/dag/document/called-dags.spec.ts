import { calledDags } from './called-dags';
import { parseDag } from './parse-dag';

const callsOf = (text: string) => {
  const { dag, localDags } = parseDag(text);
  return calledDags(dag, localDags);
};

describe('calledDags', () => {
  it('finds calls of steps, of loops and of handlers', () => {
    const text = `handler_on:
  failure: {action: dag.run, with: {dag: cleanup}}
steps:
  - {name: a, action: dag.run, with: {dag: child}}
  - {name: b, action: dag.enqueue, with: {dag: later.yaml}}
  - name: c
    foreach: {items: [1], as: item, steps: [{name: inner, action: dag.run, with: {dag: each}}]}
`;

    expect(callsOf(text)).toEqual(
      expect.arrayContaining([
        { step: 'a', dag: 'child' },
        { step: 'b', dag: 'later.yaml' },
        { step: 'inner', dag: 'each' },
        expect.objectContaining({ dag: 'cleanup' }),
      ]),
    );
  });

  it('finds neither DAGs of the same file nor names that are created at run time', () => {
    const text = `steps:
  - {name: a, action: dag.run, with: {dag: local}}
  - {name: b, action: dag.run, with: {dag: "\${params.NAME}"}}
---
name: local
steps:
  - run: "true"
`;

    expect(callsOf(text)).toEqual([]);
  });
});
