import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { actionFolder, inputDefaults, manifest } from '../testing/manifest';
import { aRuntime, federation } from '../testing/read-inputs';
import { inputReasons } from './parsed-input';
import { readOtherInputs } from './other-clouds';
import { readSettings } from './read-settings';

const readme = path.join(actionFolder, 'README.md');

/** `WEIR_UPDATE_DOCS=1` rewrites the tables instead of comparing them. */
// oxlint-disable-next-line no-restricted-properties -- a switch for anyone who runs the specs, no setting of the action
const isUpdate = process.env.WEIR_UPDATE_DOCS === '1';

describe('action.yml', () => {
  it('has exactly the inputs that are read', () => {
    const { runtime } = aRuntime(federation);
    const read = new Set<string>();
    const input = (name: string) => {
      read.add(name);
      return runtime.input(name);
    };
    readSettings({ ...runtime, input }, readOtherInputs);

    expect([...read].sort()).toEqual(Object.keys(manifest.inputs).sort());
  });

  it('has the outputs of every mode', () => {
    expect(Object.keys(manifest.outputs)).toEqual([
      'project_id',
      'credentials_file_path',
      'auth_token',
      'access_token',
      'access_token_expiration',
      'id_token',
      'gcloud_configuration',
      'npm_config_file',
      'netrc_file',
      'maven_settings_file',
      'aws_web_identity_token_file',
      'aws_access_key_id',
      'aws_secret_access_key',
      'aws_session_token',
      'aws_expiration',
      'aws_account_id',
      'aws_arn',
      'azure_federated_token_file',
    ]);
  });

  it('runs on Node 24, and cleans up even after a failure', () => {
    expect(manifest.runs).toEqual({
      using: 'node24',
      main: 'dist/main.js',
      post: 'dist/post.js',
      'post-if': 'always()',
    });
  });
});

describe('README.md', () => {
  it.each([
    ['inputs', () => inputTable()],
    ['outputs', () => outputTable()],
  ])('lists the %s as action.yml has them', (name, table) => {
    const marked = new RegExp(`(<!-- ${name}:begin -->\n).*?(<!-- ${name}:end -->)`, 's');
    const text = readFileSync(readme, 'utf8');
    const updated = text.replace(marked, (_, begin: string, end: string) => [begin, table(), '\n', end].join('\n'));
    if (isUpdate) writeFileSync(readme, updated);

    expect(text).toMatch(marked);
    expect(parseRows(marked, isUpdate ? updated : text)).toEqual(parseRows(marked, updated));
  });
});

describe('docs/specs/auth-action/auth-inputs.md', () => {
  it('lists every reason for which an input is refused', () => {
    const text = readFileSync(path.join(actionFolder, '../../docs/specs/auth-action/auth-inputs.md'), 'utf8');
    const listed = [...text.matchAll(/^\| `(?<reason>[a-z_]+)`/gm)].map(([, reason]) => reason);

    expect(listed).toEqual(inputReasons);
  });
});

function inputTable(): string {
  const rows = Object.entries(manifest.inputs).map(([name, field]) => {
    const fallback = inputDefaults[name] === '' ? '' : `\`${String(inputDefaults[name])}\``;
    return `| \`${name}\` | ${fallback} | ${cell(field.description)} |`;
  });
  return ['| Input | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function outputTable(): string {
  const rows = Object.entries(manifest.outputs).map(([name, field]) => `| \`${name}\` | ${cell(field.description)} |`);
  return ['| Output | Meaning |', '| --- | --- |', ...rows].join('\n');
}

function cell(text: string): string {
  return text
    .trim()
    .replaceAll('|', String.raw`\|`)
    .replaceAll('\n', ' ');
}

/** Removes the padding that a formatter puts into tables. */
function parseRows(marked: RegExp, text: string): readonly (readonly string[])[] {
  const table = marked.exec(text)?.[0] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('|') && !/^\|[\s|-]+$/.test(line));
  return rows.map((row) => row.split(/(?<!\\)\|/).map((text) => text.trim()));
}
