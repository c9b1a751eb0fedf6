import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { modelFamilies, reasoningParserNames, toolParserNames } from '@weir/rollout-core';
import { answerForms } from '@weir/rollout-core/testing';
import { variableTable } from '@weir/service-kit';
import { variables } from './config';

const readme = path.resolve(__dirname, '../README.md');
const specs = path.resolve(__dirname, '../../../docs/specs/rollout');

/** `WEIR_UPDATE_DOCS=1` rewrites the tables instead of comparing them. */
// oxlint-disable-next-line no-restricted-properties -- a switch for anyone who runs the specs, no setting of the server
const isUpdate = process.env.WEIR_UPDATE_DOCS === '1';

describe('the documentation', () => {
  it.each([
    ['variables', 'in README.md', readme, variableTable(variables)],
    ['families', 'in README.md', readme, familyTable()],
    ['families', 'in model-families.md', path.join(specs, 'model-families.md'), featureTable()],
  ])('lists the %s %s as the code defines them', (name, _where, file, table) => {
    const marked = new RegExp(`(<!-- ${name}:begin -->\\n).*?(<!-- ${name}:end -->)`, 's');
    const text = readFileSync(file, 'utf8');
    const updated = text.replace(marked, (_, begin: string, end: string) => [begin, table, '\n', end].join('\n'));
    if (isUpdate) writeFileSync(file, updated);

    expect(text).toMatch(marked);
    const section = marked.exec(isUpdate ? updated : text)?.[0] ?? '';
    expect(parseRows(section)).toEqual(parseRows(marked.exec(updated)?.[0] ?? ''));
  });
});

it.each([...toolParserNames, ...reasoningParserNames])('the specification says what the parser %s reads', (name) => {
  const text = readFileSync(path.join(specs, 'tool-calls-and-reasoning.md'), 'utf8');
  expect(text).toMatch(new RegExp(`^\\| \`${name}\` `, 'm'));
});

function code(text: string): string {
  return `\`${text.replaceAll('|', String.raw`\|`)}\``;
}

function toTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function featureTable(): string {
  const rows = modelFamilies.map(({ name, models, closers, tools, reasoning }) => {
    const forms = answerForms.filter(({ family }) => family === name);
    const count = forms.some(({ maxCalls }) => maxCalls > 1) ? 'several' : 'one';
    return [
      code(name),
      models,
      tools === undefined ? 'no' : `${count}, ${code(tools.name)}`,
      reasoning === undefined ? 'no' : code(reasoning.name),
      closers.map(code).join(' '),
      forms.flatMap(({ variant }) => variant ?? []).join('; '),
    ];
  });
  return toTable(['Family', 'Models', 'Calls', 'Reasoning', 'Ends', 'Tested with'], rows);
}

function familyTable(): string {
  const rows = modelFamilies.map(({ name, models, roleMarks, templateMarks = [], tools, reasoning }) => [
    code(name),
    models,
    [...roleMarks, ...templateMarks].map(code).join(' '),
    tools === undefined ? 'none' : [tools.name, ...tools.aliases].map(code).join(', '),
    reasoning === undefined ? 'none' : [reasoning.name, ...reasoning.aliases].map(code).join(', '),
  ]);
  return toTable(['Family', 'Models', 'Detected by', 'Tool parser', 'Reasoning parser'], rows);
}

/** Removes the padding that a formatter puts into tables. */
function parseRows(section: string): readonly (readonly string[])[] {
  const rows = section.split('\n').filter((line) => line.startsWith('|') && !/^\|[\s|-]+$/.test(line));
  return rows.map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
}
