import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { modelFamilies } from '@weir/rollout-core';
import { variableTable } from '@weir/service-kit';
import { variables } from './config';

const file = path.resolve(__dirname, '../README.md');

/** `WEIR_UPDATE_DOCS=1` rewrites the tables instead of comparing them. */
// oxlint-disable-next-line no-restricted-properties -- a switch for anyone who runs the specs, no setting of the server
const isUpdate = process.env.WEIR_UPDATE_DOCS === '1';

describe('README.md', () => {
  it.each([
    ['variables', 'as config.ts defines them', variableTable(variables)],
    ['families', 'as rollout-core defines them', familyTable()],
  ])('lists the %s %s', (name, _where, table) => {
    const marked = new RegExp(`(<!-- ${name}:begin -->\\n).*?(<!-- ${name}:end -->)`, 's');
    const text = readFileSync(file, 'utf8');
    const updated = text.replace(marked, (_, begin: string, end: string) => [begin, table, '\n', end].join('\n'));
    if (isUpdate) writeFileSync(file, updated);

    expect(text).toMatch(marked);
    const section = marked.exec(isUpdate ? updated : text)?.[0] ?? '';
    expect(parseRows(section)).toEqual(parseRows(marked.exec(updated)?.[0] ?? ''));
  });
});

function familyTable(): string {
  const code = (text: string) => `\`${text.replaceAll('|', String.raw`\|`)}\``;
  const rows = modelFamilies.map(({ name, models, roleMarks, templateMarks = [], tools, reasoning }) => [
    code(name),
    models,
    [...roleMarks, ...templateMarks].map(code).join(' '),
    tools === undefined ? 'none' : [tools.name, ...tools.aliases].map(code).join(', '),
    reasoning === undefined ? 'none' : [reasoning.name, ...reasoning.aliases].map(code).join(', '),
  ]);
  const header = ['Family', 'Models', 'Detected by', 'Tool parser', 'Reasoning parser'];
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Removes the padding that a formatter puts into tables. */
function parseRows(section: string): readonly (readonly string[])[] {
  const rows = section.split('\n').filter((line) => line.startsWith('|') && !/^\|[\s|-]+$/.test(line));
  return rows.map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
}
