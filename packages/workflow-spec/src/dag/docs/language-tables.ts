import { actionNames, findAction } from '../../keys/actions/action-catalogue';
import { dagSchema } from '../json-schema/dag-schema';
import { schemaAt } from '../json-schema/schema-at';
import { createSchemaBook } from '../../shapes/json-schema/schema-book';
import { keyRows, keyTable, type KeyRow } from './key-table';
import { markdownTable } from './markdown-table';

const marked = /^<!-- (keys|actions|settings): ?(.*?) -->$/gm;

/**
 * Returns the tables that a page asks for, by their marks: `<!-- keys: PATH [KEY…] -->` lists the keys of the object
 * at that schema path (`dag`, `step`, or dotted), `<!-- actions: FAMILY… -->` the actions of those families, and
 * `<!-- settings: ACTION -->` the settings of one. Throws for a path, key or action that the language does not have.
 */
export function languageTables(page: string): ReadonlyMap<string, string> {
  return new Map(
    [...page.matchAll(marked)].map(([mark, kind, words = '']) => {
      const [first = '', ...others] = words.split(' ').filter((word) => word !== '');
      if (kind === 'keys') return [mark, tableAt(first, others)];
      return [mark, kind === 'actions' ? actionTable([first, ...others]) : keyTable(settingsOf(first))];
    }),
  );
}

/** Returns the keys that a page has tables of: `dag.env`, `step.run`. */
export function listedKeys(page: string): ReadonlySet<string> {
  const listed = [...page.matchAll(marked)].flatMap(([, , words = '']) => {
    const [path = '', ...keys] = words.split(' ').filter((word) => word !== '');
    return keys.map((key) => `${path}.${key}`);
  });
  return new Set(listed);
}

export function rowsAt(path: string, wanted: readonly string[] = []): readonly KeyRow[] {
  const root = dagSchema();
  const dotted = path.replace(/^dag\b\.?/, '').replace(/^step\b/, 'steps');
  const schema = schemaAt(dotted);
  if (!schema) throw new Error(`The language has nothing at ${path}.`);
  return keyRows(schema, root, wanted);
}

function tableAt(path: string, only: readonly string[]): string {
  const rows = rowsAt(path, only);
  const unknown = only.find((key) => !rows.some((row) => row.key === key));
  if (unknown !== undefined) throw new Error(`There is no key ${unknown} at ${path}.`);
  return keyTable(rows, only.length === 0 ? undefined : only);
}

function actionTable(families: readonly string[]): string {
  const names = actionNames().filter((name) =>
    families.some((family) => name === family || name.startsWith(`${family}.`)),
  );
  if (names.length === 0) throw new Error(`There is no action ${families.join(', ')}.`);
  return markdownTable(
    ['Action', 'What it does', 'Settings (`*`: required)'],
    names.map((name) => {
      const settings = settingsOf(name).map(({ key, isRequired }) => `\`${key}\`${isRequired ? '\\*' : ''}`);
      return [`\`${name}\``, findAction(name)?.description ?? '', settings.join(', ') || 'none'];
    }),
  );
}

/** Returns the settings of an action in their present spelling. Throws for an action that does not exist. */
export function settingsOf(name: string): readonly KeyRow[] {
  const action = findAction(name);
  if (action === undefined) throw new Error(`There is no action ${name}.`);
  const book = createSchemaBook();
  const schema = action.with.schema(book);
  return keyRows(schema, { definitions: Object.fromEntries(book.definitions) });
}
