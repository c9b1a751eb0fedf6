import { editLabels } from './edit-labels';

const edit = (text: string, add: readonly string[] = [], remove: readonly string[] = []) =>
  editLabels(text, { add, remove });
const steps = 'steps:\n  - run: echo "one   two" # stays\n';

describe('editLabels', () => {
  it.each([
    ['a list in one line', `labels: [etl, Team=Data] # why\n${steps}`, `labels: [etl, team=data, new] # why\n${steps}`],
    ['a list of lines', `labels:\n  - etl\n  - b\n${steps}`, `labels: [etl, b, new]\n${steps}`],
    [
      'a list before a comment',
      `labels:\n  - etl\n\n# of steps\n${steps}`,
      `labels: [etl, new]\n\n# of steps\n${steps}`,
    ],
    ['a list at the margin', `labels:\n- etl\n${steps}`, `labels: [etl, new]\n${steps}`],
    ['a text', `labels: "etl, b"\n${steps}`, `labels: [etl, b, new]\n${steps}`],
    ['a map', `labels:\n  team: data\n  urgent:\n${steps}`, `labels: [team=data, urgent, new]\n${steps}`],
    ['nothing', `labels:\n${steps}`, `labels: [new]\n${steps}`],
    ['the old key', `tags: [etl]\n${steps}`, `tags: [etl, new]\n${steps}`],
    ['no key', `# mine\n\nname: a\n${steps}`, `# mine\n\nlabels: [new]\nname: a\n${steps}`],
    ['a quoted key', `"labels": etl\n${steps}`, `"labels": [etl, new]\n${steps}`],
    ['lines that end as on Windows', 'name: a\r\nsteps: []\r\n', 'labels: [new]\r\nname: a\r\nsteps: []\r\n'],
    ['the first of several documents', `---\n${steps}---\nname: b\n`, `---\nlabels: [new]\n${steps}---\nname: b\n`],
  ])('adds to %s', (_, text, expected) => {
    expect(edit(text, ['New'])).toBe(expected);
  });

  it('removes labels, also the last one', () => {
    expect(edit(`labels: [etl, team=data]\n${steps}`, [], ['TEAM=data'])).toBe(`labels: [etl]\n${steps}`);
    expect(edit(`labels: [etl]\n${steps}`, [], ['etl'])).toBe(`labels: []\n${steps}`);
  });

  it('leaves a text unchanged that already has the labels', () => {
    const text = `labels: [  etl,  B ]\n${steps}`;

    expect(edit(text, ['b', 'etl'], ['gone'])).toBe(text);
    expect(edit(steps, [], ['gone'])).toBe(steps);
  });

  it('quotes labels that YAML would not read as text', () => {
    expect(edit(steps, ['true', '12'])).toBe(`labels: ["true", "12"]\n${steps}`);
  });

  it.each([
    ['an alias', 'a: &a [x]\nlabels: *a\n'],
    ['a file in one line', '{steps: []}'],
    ['an empty file', ''],
    ['a list', '- a\n'],
    ['labels of labels', 'labels: [[a]]\n'],
    ['a long file', `name: a\n#${'x'.repeat(65_536)}\n`],
  ])('refuses %s', (_, text) => {
    expect(() => edit(text, ['new'])).toThrow('The labels cannot be changed: ');
  });
});
