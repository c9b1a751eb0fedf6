import { createHash } from 'node:crypto';
import { createInlineParser, type DagParser, type SpecOptions } from '../../../dag-parser';
import { aRun } from '@weir/workflow-engine/testing';
import { parseStored } from './stored-spec';

const steps = 'steps:\n  - {name: a, run: "true"}\n';

function recordingParser() {
  const calls: SpecOptions[] = [];
  const inline = createInlineParser();
  const parser: DagParser = {
    parse: (text, options = {}) => {
      calls.push(options);
      return inline.parse(text, options);
    },
  };
  return { parser, calls };
}

describe('parseStored', () => {
  it('parses the text like the file before the start, by the stored hash', async () => {
    const { parser, calls } = recordingParser();
    const { dag } = await parseStored(
      parser,
      aRun({ dagName: 'nightly', fileName: '/dags/nightly.yaml', specText: steps }),
    );

    expect(dag.name).toBe('nightly');
    const textHash = createHash('sha256').update(steps).digest('hex');
    expect(calls).toEqual([{ name: 'nightly', bases: [], textHash }]);
  });

  it.each([
    ['a spec with a name of its own', 'nightly', `name: other\n${steps}`],
    ['a file of another name', 'file', steps],
  ])('gives the DAG the name of the run: %s', async (_, fileName, specText) => {
    const { parser } = recordingParser();
    const { dag } = await parseStored(parser, aRun({ dagName: 'nightly', fileName, specText }));

    expect(dag.name).toBe('nightly');
  });

  it('finds the DAG of a child run among the others of the text', async () => {
    const { parser } = recordingParser();
    const specText = `name: first\n${steps}---\nname: inner\nsteps:\n  - {name: b, run: "true"}\n`;
    const { dag } = await parseStored(parser, aRun({ dagName: 'inner', depth: 1, specText }));

    expect(dag).toMatchObject({ name: 'inner', steps: [{ name: 'b' }] });
  });
});
