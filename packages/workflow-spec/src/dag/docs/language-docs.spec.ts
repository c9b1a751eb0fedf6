import { readFileSync } from 'node:fs';
import path from 'node:path';
import { actionNames } from '../../keys/actions/action-catalogue';
import { languageTables, listedKeys, rowsAt } from './language-tables';

const text = readFileSync(path.resolve(__dirname, '../../../../../docs/language.md'), 'utf8');

describe('docs/language.md', () => {
  it.each(['dag', 'step'])('omits no key of a %s', (kind) => {
    const listed = listedKeys(text);
    const names = rowsAt(kind).map(({ key }) => `${kind}.${key}`);
    expect(names.filter((name) => !listed.has(name))).toEqual([]);
  });

  it('omits no action', () => {
    const tables = [...languageTables(text).values()].join('\n');
    expect(actionNames().filter((name) => !tables.includes(`| \`${name}\``))).toEqual([]);
  });

  it.each(['dag', 'step'])('explains each key of a %s', (kind) => {
    expect(rowsAt(kind).filter(({ description }) => description === '')).toEqual([]);
  });
});
