import { actionNames, findAction } from '../../keys/actions/action-catalogue';
import type { JsonSchema } from '../../shapes/json-schema/json-schema';
import { dagSchema } from '../json-schema/dag-schema';
import { schemaAt } from '../json-schema/schema-at';
import { createSchemaBook } from '../../shapes/json-schema/schema-book';
import { isSchema } from '../../shapes/json-schema/sub-schemas';
import { keyRows, keyTable, type KeyRow } from './key-table';
import { markdownTable } from './markdown-table';

const marked = /(<!-- (keys|actions): ?(.*?) -->\n).*?(<!-- end -->)/gs;

/**
 * Regenerates the tables of a page: `<!-- keys: PATH [KEY…] -->` lists the keys of the object at that schema path
 * (`dag`, `step`, or dotted), `<!-- actions: FAMILY… -->` the actions of those families. Throws for a path or key
 * that the language does not have.
 */
export function fillTables(page: string): string {
  return page.replace(marked, (_, begin: string, kind: string, words: string, end: string) => {
    const [first = '', ...others] = words.split(' ').filter((word) => word !== '');
    const table = kind === 'keys' ? tableAt(first, others) : actionTable([first, ...others]);
    return [begin, table, '', end].join('\n');
  });
}

/** The keys a page has tables of: `dag.env`, `step.run`. */
export function listedKeys(page: string): ReadonlySet<string> {
  const listed = [...page.matchAll(marked)].flatMap(([, , , words = '']) => {
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
      const action = findAction(name);
      return [`\`${name}\``, action?.description ?? '', action ? listSettings(action.with.schema) : ''];
    }),
  );
}

function listSettings(schema: (book: ReturnType<typeof createSchemaBook>) => JsonSchema): string {
  const book = createSchemaBook();
  const root = schema(book);
  const definitions = Object.fromEntries(book.definitions);
  const rows = keyRows(root, { definitions });
  if (rows.length === 0) return isSchema(root) ? 'none' : '';
  return rows.map(({ key, isRequired }) => `\`${key}\`${isRequired ? '\\*' : ''}`).join(', ');
}
