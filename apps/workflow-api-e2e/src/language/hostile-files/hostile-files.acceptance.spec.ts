import { spawnSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { describeFixtures } from '../../support/fixtures';
import { runWeir } from '../../support/weir-command';

describeFixtures('hostile files', __dirname);

const maxFindings = 1001;
const goodSteps = 'steps:\n  - run: echo\n';

interface Checked {
  readonly valid: boolean;
  readonly problem?: string;
  readonly findings: readonly { readonly code: string; readonly line: number; readonly message: string }[];
  readonly dag?: { readonly steps: readonly unknown[] };
}

let home: TemporaryFolder;

beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => home.remove());

async function checkFile(name: string): Promise<Checked> {
  const { code, stdout, stderr } = await runWeir(['validate', '--format', 'json', '--show-unresolved', name], { home });
  expect(stderr).toBe('');
  const { files } = JSON.parse(stdout) as { readonly files: readonly [Checked] };
  expect(code).toBe(files[0].valid ? 0 : 1);
  expect(files[0].findings.length).toBeLessThanOrEqual(maxFindings);
  return files[0];
}

async function check(content: string | Uint8Array): Promise<Checked> {
  await writeFile(home.file('hostile.yaml'), content);
  return checkFile('hostile.yaml');
}

function repeat(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('');
}

const aliasBomb = `a0: &a0 [x, x]\n${repeat(40, (index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`)}${goodSteps}`;

describe('a file that is expensive to read', () => {
  it.each([
    ['lists in lists in lists', `steps: ${'['.repeat(100_000)}`, 'nesting_too_deep'],
    ['maps in maps in maps', `steps: ${'{a: '.repeat(50_000)}`, 'nesting_too_deep'],
    ['lines that each begin a deeper level', repeat(500, (index) => `${' '.repeat(index)}a:\n`), 'nesting_too_deep'],
    ['aliases that double forty times', aliasBomb, 'alias_expansion'],
    ['two hundred thousand words', `labels: [${'a,'.repeat(200_000)}]\n${goodSteps}`, 'text_too_complex'],
    ['ten thousand documents', '---\na: 1\n'.repeat(10_000), 'text_too_complex'],
    ['fifty thousand unknown keys', repeat(50_000, (index) => `key${index}: 1\n`), 'too_many_findings'],
    [
      'steps that all depend on nothing there is',
      `steps:\n${repeat(3000, (index) => `  - {name: s${index}, run: echo, depends: t${index}}\n`)}`,
      'too_many_findings',
    ],
    ['an open quote over two hundred thousand lines', `description: "${'x\n'.repeat(200_000)}`, 'yaml_syntax'],
    [
      'control characters by the thousand',
      `description: "${'\u0001'.repeat(100_000)}"\n${goodSteps}`,
      'invalid_character',
    ],
    ['one circle of four thousand steps', circle(4000), 'dependency_cycle'],
    ['a key of half a megabyte', `"${'k'.repeat(500_000)}": 1\n${goodSteps}`, 'invalid_key'],
    ['brackets that nothing closes', '[{'.repeat(5000), 'nesting_too_deep'],
    ['dashes without end', '- '.repeat(50_000), 'nesting_too_deep'],
  ])('is refused within limits of time and memory: %s', async (_, text, code) => {
    const { valid, findings } = await check(text);
    expect(valid).toBe(false);
    expect(new Set(findings.map((finding) => finding.code))).toContain(code);
    for (const { message } of findings) expect(message.length).toBeLessThan(1000);
  });

  it('is read when it is large and valid: five thousand steps in a chain', async () => {
    const text = `steps:\n${repeat(5000, (index) => `  - name: s${index}\n    run: echo ${index}\n${index === 0 ? '' : `    depends: s${index - 1}\n`}`)}`;
    const { valid, findings } = await check(text);
    expect({ valid, findings }).toEqual({ valid: true, findings: [] });
  });

  it('is read with a very long line', async () => {
    await expect(check(`steps:\n  - run: ${'echo x; '.repeat(50_000)}\n`)).resolves.toMatchObject({
      valid: true,
      findings: [],
    });
  });

  it('is read up to one mebibyte, including comments', async () => {
    const text = `${goodSteps}#${'x'.repeat(1_048_576 - goodSteps.length - 1)}`;
    await expect(check(text)).resolves.toMatchObject({ valid: true, findings: [] });
  });

  it('is not read beyond one mebibyte', async () => {
    const text = `${goodSteps}#${'x'.repeat(1_048_576 - goodSteps.length)}`;
    await expect(check(text)).resolves.toMatchObject({
      valid: false,
      problem: 'the file is larger than 1048576 bytes',
      findings: [],
    });
  });
});

function circle(count: number): string {
  return `steps:\n${repeat(count, (index) => `  - {name: s${index}, run: echo, depends: s${(index + 1) % count}}\n`)}`;
}

describe('a file that is not UTF-8 text', () => {
  it.each([
    ['Latin-1', Buffer.from(`description: caf\u00e9\n${goodSteps}`, 'latin1')],
    ['UTF-16 with its mark', Buffer.from(`\ufeff${goodSteps}`, 'utf16le')],
    ['an overlong form', Buffer.concat([Buffer.from(goodSteps), Buffer.from([0xc0, 0xaf])])],
    ['half of a surrogate pair', Buffer.concat([Buffer.from('name: '), Buffer.from([0xed, 0xa0, 0x80])])],
    ['a cut character at its end', Buffer.from(`${goodSteps}# é`).subarray(0, -1)],
  ])('is refused: %s', async (_, content) => {
    await expect(check(content)).resolves.toMatchObject({ valid: false, problem: 'the file is not UTF-8 text' });
  });

  it('is refused with the characters named if it is text with NUL characters', async () => {
    const { findings } = await check(`${goodSteps}# \0\n`);
    expect(findings).toMatchObject([{ code: 'invalid_character', line: 3 }]);
  });
});

it('includes a byte order mark in byte offsets, but not in columns', async () => {
  const { findings } = await check(`\uFEFFstepz: 1\n${goodSteps}`);
  expect(findings).toMatchObject([{ line: 1, column: 1, startByte: 3, endByte: 8 }]);
});

describe('a path that is not a text file', () => {
  it('is refused: a folder', async () => {
    await mkdir(home.file('folder.yaml'));
    await expect(checkFile('folder.yaml')).resolves.toMatchObject({
      valid: false,
      problem: expect.any(String) as string,
    });
  });

  it('is refused: a link to itself', async () => {
    await symlink('loop.yaml', home.file('loop.yaml'));
    await expect(checkFile('loop.yaml')).resolves.toMatchObject({
      valid: false,
      problem: 'the file cannot be read (ELOOP)',
    });
  });

  it('is refused without waiting: a pipe without a writer', async () => {
    expect(spawnSync('mkfifo', [home.file('pipe.yaml')]).status).toBe(0);
    await expect(checkFile('pipe.yaml')).resolves.toMatchObject({ valid: false });
  });

  it('is read, and reported unchanged: a name with spaces, quotes and a line break', async () => {
    const name = 'my "odd"\n$(name).yaml';
    await writeFile(home.file(name), goodSteps);
    const { code, stdout } = await runWeir(['validate', '--format', 'json', name], { home });
    const { files } = JSON.parse(stdout) as { readonly files: readonly { readonly file: string }[] };

    expect(files[0]?.file).toBe(name);
    expect(code).toBe(1); // Such a name cannot be the name of a DAG.
  });
});
