import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { actionNames } from '../../keys/actions/action-catalogue';
import { fillTables, listedKeys, rowsAt } from './language-tables';

const file = path.resolve(__dirname, '../../../../../docs/language.md');

/** `WEIR_UPDATE_DOCS=1` rewrites the tables instead of comparing them. */
// oxlint-disable-next-line no-restricted-properties -- a switch for anyone who runs the specs
const isUpdate = process.env.WEIR_UPDATE_DOCS === '1';

if (isUpdate) writeFileSync(file, fillTables(readFileSync(file, 'utf8')));

describe('docs/language.md', () => {
  const text = readFileSync(file, 'utf8');

  it('lists keys and actions as the tables of the parser define them', () => {
    expect(text).toBe(fillTables(text));
  });

  it.each(['dag', 'step'])('omits no key of a %s', (kind) => {
    const listed = listedKeys(text);
    const names = rowsAt(kind).map(({ key }) => `${kind}.${key}`);
    expect(names.filter((name) => !listed.has(name))).toEqual([]);
  });

  it('omits no action', () => {
    expect(actionNames().filter((name) => !text.includes(`| \`${name}\``))).toEqual([]);
  });
});
