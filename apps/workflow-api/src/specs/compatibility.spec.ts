import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { actionNames, findAction } from '@weir/workflow-spec/actions';
import { dagSchema } from '@weir/workflow-spec/editor';
import { reservedEnvNames } from '@weir/workflow-spec/values';
import { useCommands } from '../commands/testing/use-commands';
import { variables } from '../config/load-config';
import { flagRows, variableRows, type AliasRow } from '../dagu/alias-rows';

const root = path.resolve(__dirname, '../../../..');
const file = path.join(root, 'docs/compatibility.md');
const endToEnd = path.join(root, 'apps/workflow-api-e2e/src');
/** `WEIR_UPDATE_DOCS=1` rewrites the tables that are made of those of the program. */
// oxlint-disable-next-line no-restricted-properties -- a switch for anyone who runs the specs, no setting of the server
const isUpdate = process.env.WEIR_UPDATE_DOCS === '1';
let page = readFileSync(file, 'utf8');
const statuses = ['same', 'renamed', 'different', 'not yet'];

interface Row {
  readonly name: string;
  readonly status: string;
  readonly what: string;
  readonly spec: string;
}

/** The rows of the tables below a heading. */
function rowsOf(heading: string): readonly Row[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0];
  if (section === undefined) throw new Error(`docs/compatibility.md has no section "${heading}".`);
  return [...section.matchAll(/^\| (.+?) +\| (.+?) +\| (.*?) *\| \[[^\]]+\]\((.+?)\) *\|$/gm)].map(
    ([, name = '', status = '', what = '', spec = '']) => ({ name: name.replaceAll('`', ''), status, what, spec }),
  );
}

function updateTable(mark: string, rows: readonly AliasRow[]): void {
  const lines = rows.map(
    ({ name, status, what }) =>
      `| \`${name}\` | ${status} | ${what} | [Names of Dagu](specs/operation/names-of-dagu.md) |`,
  );
  const table = ['', '| Name | Status | In Weir | Spec |', '| --- | --- | --- | --- |', ...lines, '', ''].join('\n');
  const marked = new RegExp(`(<!-- ${mark}:begin -->\n).*?(<!-- ${mark}:end -->)`, 's');
  page = page.replace(marked, (_, begin: string, end: string) => `${begin}${table}${end}`);
  writeFileSync(file, page);
}

interface Properties {
  readonly properties: Readonly<Record<string, { readonly deprecated?: boolean }>>;
}

function statusOfKey({ properties }: Properties, key: string): string {
  const found = properties[key];
  if (found === undefined) return 'not yet';
  return found.deprecated === true ? 'renamed' : 'same';
}

const isCamelCase = (key: string): boolean => /[A-Z]/.test(key);

describe('docs/compatibility.md', () => {
  const sections = page
    .split('\n## ')
    .slice(1)
    .map((section) => section.split('\n')[0] ?? '');
  // The document is what editors get; its shape is checked by specs of its own.
  const dag = dagSchema() as unknown as Properties & { readonly definitions: { readonly Step: Properties } };

  it.each(sections)('has in "%s" only rows with a known status and a page with end-to-end cases', (heading) => {
    const rows = rowsOf(heading);
    const wrong = rows.filter(({ status, spec }) => {
      const topic = spec.replace(/^specs\//, '').replace(/\.md$/, '');
      const cases = globSync([`${topic}/*.spec.ts`, `${topic}.*spec.ts`], { cwd: endToEnd });
      return !statuses.includes(status) || !existsSync(path.join(root, 'docs', spec)) || cases.length === 0;
    });
    expect(wrong).toEqual([]);
    expect(rows.length).toBeGreaterThan(0);
  });

  it('says of each name once what becomes of it, and why where it differs', () => {
    for (const heading of sections) {
      const rows = rowsOf(heading);
      expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
      expect(rows.filter(({ status, what }) => ['different', 'renamed'].includes(status) && what === '')).toEqual([]);
    }
  });

  it.each([
    ['Keys of a DAG', dag],
    ['Keys of a step', dag.definitions.Step],
  ] as const)('lists the %s as this version reads them', (heading, kind) => {
    const rows = rowsOf(heading);
    expect(rows.filter(({ name, status }) => status !== statusOfKey(kind, name))).toEqual([]);
    const listed = new Set(rows.map(({ name }) => name));
    const missing = Object.keys(kind.properties).filter((key) => !isCamelCase(key) && !listed.has(key));
    // Weir's own.
    expect(missing).toEqual(heading === 'Keys of a step' ? ['idempotent'] : ['triggers', 'action_lock']);
  });

  it('lists the actions that this version can execute as "same", and no others', () => {
    const rows = rowsOf('Actions');
    expect(rows.filter(({ name, status }) => (status === 'same') !== (findAction(name) !== undefined))).toEqual([]);
    const listed = new Set(rows.map(({ name }) => name));
    // Weir's own.
    expect(actionNames().filter((name) => !listed.has(name))).toEqual([
      'sftp.list',
      'sftp.delete',
      'git.clone',
      'git.worktree.list',
      'git.worktree.prune',
      'git.commit',
      'git.push',
      'git.diff',
      'duckdb.query',
    ]);
  });

  it('lists the variables about a run', () => {
    const theirs = reservedEnvNames.filter((name) => !name.startsWith('WEIR_'));
    expect(
      rowsOf('Variables of steps')
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...theirs].sort());
  });

  it('names settings that exist', () => {
    const headings = ['Variables of the program', 'Flags', 'Keys of the configuration file'];
    const named = headings.flatMap(rowsOf).flatMap(({ what }) => [...what.matchAll(/WEIR_\w+/g)].flat());
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !Object.hasOwn(variables, name))).toEqual([]);
  });

  it.each([
    ['Variables of the program', 'variables', variableRows()],
    ['Flags', 'flags', flagRows()],
  ] as const)('lists in "%s" what the tables of the program say', (heading, mark, expected) => {
    if (isUpdate) updateTable(mark, expected);
    expect(rowsOf(heading).map(({ name, status, what }) => ({ name, status, what }))).toEqual(expected);
  });
});

describe('the commands of docs/compatibility.md', () => {
  const { run } = useCommands();

  it('are "same" exactly when this version has them', async () => {
    const { out } = await run('--help');
    const commands = new Set([...out.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name));
    const rows = rowsOf('Commands');
    expect(rows.filter(({ name, status }) => (status === 'same') !== commands.has(name))).toEqual([]);
    const listed = new Set(rows.map(({ name }) => name));
    // Weir's own, and that of the library.
    expect([...commands].filter((name) => name !== undefined && !listed.has(name))).toEqual([
      'watch',
      'logs',
      'approval',
      'audit',
      'queue',
      'login',
      'migrate-store',
      'backup',
      'restore',
      'worker-token',
      'doctor',
      'mcp',
      'convert',
      'lock',
      'help',
    ]);
  });
});
