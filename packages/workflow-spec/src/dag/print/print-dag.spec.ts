import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDag } from '../document/parse-dag';
import { hasErrors } from '../../source/findings/format-finding';
import { printDag } from './print-dag';

const fixtures = path.resolve(__dirname, '../../../../../apps/workflow-api-e2e/src');

/** Every valid DAG of the end-to-end fixtures, with its name. */
const valid = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => ({ file, text: readFileSync(path.join(fixtures, file), 'utf8') }))
  .filter(({ text }) => !hasErrors(parseDag(text).findings));

describe('printDag', () => {
  it('finds the fixtures', () => {
    expect(valid.length).toBeGreaterThan(100);
  });

  it.each(valid.map(({ file, text }) => [file, text]))('round-trips %s', (_, text) => {
    const read = parseDag(text, { name: 'fixture' });
    const printed = printDag(read.dag, read.localDags);
    const again = parseDag(printed, { name: 'fixture' });

    expect(again.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect({ dag: again.dag, localDags: again.localDags }).toEqual({ dag: read.dag, localDags: read.localDags });
  });

  it('keeps a command that is the name of a YAML file a command', () => {
    const { dag } = parseDag('steps: [clean.yaml]');

    expect(parseDag(printDag(dag)).dag.steps[0]?.run).toEqual({ kind: 'commands', commands: ['clean.yaml'] });
  });

  it('is idempotent', () => {
    for (const { text } of valid) {
      const { dag, localDags } = parseDag(text);
      const printed = printDag(dag, localDags);
      const again = parseDag(printed);
      expect(printDag(again.dag, again.localDags)).toBe(printed);
    }
  });
});
