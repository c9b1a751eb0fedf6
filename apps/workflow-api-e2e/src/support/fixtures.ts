import { readdirSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { readFixture, type Fixture } from './fixture';
import { differences, type CheckedFixture } from './fixture-differences';
import { runWeir } from './weir-command';

const checkDeadlineMs = 120_000;
const runDeadlineMs = 110_000;
/** The line of the run, unlike those of its steps, is not indented. */
const partialEnd = /^\S+ \S+: partially_succeeded /m;

/**
 * Makes one case of each `.yaml` file of the folder: the built program must find in it exactly what the lines of its
 * head say. Fails when the folder holds none.
 */
export function describeFixtures(title: string, folder: string): void {
  const fixtures = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => readFixture(path.join(folder, name)));
  if (fixtures.length === 0) throw new Error(`The folder ${folder} holds no fixture.`);

  describe(title, () => {
    let home: TemporaryFolder;
    let checked: ReadonlyMap<string, CheckedFixture>;

    beforeAll(async () => {
      home = temporaryFolder();
      checked = await checkAll(fixtures, folder, home);
    }, checkDeadlineMs);

    afterAll(() => home.remove());

    it.each(fixtures.map((fixture) => [`${fixture.title} (${fixture.name})`, fixture] as const))(
      '%s',
      async (_, fixture) => {
        const found = checked.get(fixture.name);
        if (found === undefined) throw new Error(`"weir validate" said nothing of ${fixture.name}.`);
        const problems = [...differences(fixture, found), ...(await runProblems(fixture, folder))];
        // As an error, because its text is shown unchanged: lines of it can be put into the fixture.
        if (problems.length > 0) throw new Error(`${fixture.name} ${problems.join('\n')}`);
      },
      runDeadlineMs + 10_000,
    );
  });
}

/** One process for all fixtures that have the same base configuration. */
async function checkAll(
  fixtures: readonly Fixture[],
  folder: string,
  home: TemporaryFolder,
): Promise<ReadonlyMap<string, CheckedFixture>> {
  const checked = new Map<string, CheckedFixture>();
  for (const base of new Set(fixtures.map((fixture) => fixture.base))) {
    const names = fixtures.filter((fixture) => fixture.base === base).map(({ name }) => name);
    const { code, stdout, stderr } = await runWeir(['validate', '--format', 'json', '--show-unresolved', ...names], {
      ...toRunOptions(folder, base),
      home,
      deadlineMs: checkDeadlineMs - 5000,
    });
    const files = parseFiles(stdout);
    if (files === undefined) {
      throw new Error(`"weir validate --format json" ended with ${code} and printed no findings:\n${stdout}${stderr}`);
    }
    for (const file of files) checked.set(file.file, file);
    const expected = files.every(({ valid }) => valid) ? 0 : 1;
    if (code !== expected) throw new Error(`"weir validate" ended with ${code} where it should end with ${expected}.`);
  }
  return checked;
}

function parseFiles(stdout: string): readonly CheckedFixture[] | undefined {
  try {
    return (JSON.parse(stdout) as { readonly files: readonly CheckedFixture[] }).files;
  } catch {
    // Whatever else it printed is shown by the caller.
    return undefined;
  }
}

async function runProblems(fixture: Fixture, folder: string): Promise<readonly string[]> {
  if (fixture.run === undefined) return [];
  const home = temporaryFolder();
  try {
    const args = ['start', fixture.name, ...fixture.run];
    const { code, stdout, stderr } = await runWeir(args, {
      ...toRunOptions(folder, fixture.base),
      home,
      deadlineMs: runDeadlineMs,
    });
    const shown = `"weir start" ended with ${code}:\n${stdout}${stderr}`;
    if (!endsAsAnnounced(fixture, code, stdout)) {
      return [`should have ${fixture.succeedsInPart ? 'succeeded in part' : 'ended otherwise'}; ${shown}`];
    }
    const unsaid = fixture.fails.filter((phrase) => !`${stdout}${stderr}`.includes(phrase));
    return unsaid.map((phrase) => `does not say "${phrase}"; ${shown}`);
  } finally {
    await home.remove();
  }
}

function endsAsAnnounced({ fails, succeedsInPart }: Fixture, code: number, stdout: string): boolean {
  if (fails.length === 0 && !succeedsInPart) return code === 0;
  return code === 1 && partialEnd.test(stdout) === succeedsInPart;
}

/** Without isolation, which changes nothing of the language and takes longer than many a step. */
function toRunOptions(folder: string, base: string | undefined) {
  const baseConfig = base === undefined ? {} : { WEIR_BASE_CONFIG: path.join(folder, base) };
  return { folder, env: { WEIR_STEP_ISOLATION: 'off', ...baseConfig } };
}
