import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { languageTables, settingsOf } from '../../dag/docs/language-tables';
import { actionNames, findAction } from './action-catalogue';

const pages = globSync(path.resolve(__dirname, '../../../../../docs/specs/actions/*.md'));
const tables = new Map(pages.flatMap((page) => [...languageTables(readFileSync(page, 'utf8'))]));

// The alias has no section of its own.
const documented = actionNames().filter((name) => findAction(name)?.name === name);

describe('docs/specs/actions', () => {
  it.each(documented)('has a table of the settings of %s, each with its meaning', (name) => {
    const settings = settingsOf(name);
    expect(tables.has(`<!-- settings: ${name} -->`)).toBe(settings.length > 0);
    expect(settings.filter(({ description }) => description === '')).toEqual([]);
  });
});
