import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';
import { startWeir, type Weir } from '../../support/weir-server';
import { documentsOf, type CorpusFile } from './documents';

const page = readFileSync(path.resolve(__dirname, '../../../../../docs/compatibility.md'), 'utf8');

interface Finding {
  readonly code: string;
  readonly severity: string;
}
interface Checked {
  readonly file: string;
  readonly valid: boolean;
  readonly findings: readonly Finding[];
}

/** The status of each row below a heading. */
function statusesOf(heading: string): ReadonlyMap<string, string> {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return new Map(
    [...section.matchAll(/^\| `(.+?)` +\| (same|renamed|different|not yet) +\|/gm)].map(
      ([, name = '', status = '']) => [name, status],
    ),
  );
}

/** What `weir validate` should say, in short. */
function expected({ refused, isOlderSpelling }: CorpusFile, status: string | undefined): string {
  if (status === 'not yet') return 'unsupported';
  if (refused !== undefined) return refused;
  return status === 'renamed' || isOlderSpelling ? 'older' : 'accepted';
}

function found({ valid, findings }: Checked, { refused }: CorpusFile): string {
  const codes = findings.map(({ code }) => code);
  if (!valid) {
    if (refused !== undefined && codes.includes(refused)) return refused;
    return codes.find((code) => code.startsWith('unsupported_')) === undefined ? codes.join(' ') : 'unsupported';
  }
  return codes.some((code) => code.startsWith('deprecated_')) ? 'older' : 'accepted';
}

describe.each(['Keys of a DAG', 'Keys of a step', 'Actions'] as const)('the corpus of "%s"', (heading) => {
  const home = temporaryFolder();
  const statuses = statusesOf(heading);
  const files = documentsOf(heading);
  /** Of the action that a key stands for, where that is not built. */
  const statusOf = ({ row, action }: CorpusFile) =>
    action !== undefined && statusesOf('Actions').get(action) === 'not yet' ? 'not yet' : statuses.get(row);
  const at = (name: string) => home.file('corpus', name);
  let weir: Weir;

  beforeAll(async () => {
    await mkdir(home.file('corpus'));
    await Promise.all(files.map(({ name, text }) => writeFile(at(name), text.replaceAll('@OUT@', at(`${name}.out`)))));
    weir = await startWeir({ home, env: { WEIR_SKIP_EXAMPLES: 'true' } });
  }, 60_000);
  afterAll(() => weir.dispose());

  it('has a file for every row of docs/compatibility.md, and for no other name (add one to its table of fragments)', () => {
    expect([...new Set(files.map(({ row }) => row))].toSorted()).toEqual([...statuses.keys()].toSorted());
    expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
  });

  it('is accepted, read as an older spelling, or refused according to its row', async () => {
    const { stdout } = await runWeir(['validate', '--format', 'json', ...files.map(({ name }) => at(name))], { home });
    const checked = (JSON.parse(stdout) as { readonly files: readonly Checked[] }).files;
    const wrong = files.flatMap((file, index) => {
      const result = checked[index];
      const [is, should] = [result ? found(result, file) : 'unread', expected(file, statusOf(file))];
      return is === should ? [] : [`${file.name}: ${is}, not ${should}`];
    });
    expect(wrong).toEqual([]);
  });

  const planned = files.filter((file) => file.isFirst && file.refused === undefined && statusOf(file) !== 'not yet');

  it('is planned if it is accepted', async () => {
    const failed: string[] = [];
    for (const { name } of planned) {
      const { code, stderr } = await runWeir(['dry', at(name)], { home });
      if (code !== 0) failed.push(`${name}: ${stderr}`);
    }
    expect(failed).toEqual([]);
  }, 120_000);

  it('has its documented effect if a run can show it', async () => {
    const executed = planned.filter(({ writes }) => writes !== undefined);
    const wrong: string[] = [];
    for (const { name, writes } of executed) {
      const { stdout, stderr } = await runWeir(['start', at(name)], { home });
      const written = await readFile(at(`${name}.out`), 'utf8').catch(() => undefined);
      if (written !== writes)
        wrong.push(`${name}: ${JSON.stringify(written)}, not ${JSON.stringify(writes)}\n${stdout}${stderr}`);
    }
    expect(wrong).toEqual([]);
    expect(executed.length).toBeGreaterThan(5);
  }, 240_000);
});
