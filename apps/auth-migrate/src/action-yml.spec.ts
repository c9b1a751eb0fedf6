import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';
import { awsInputs, awsOutputs } from './aws-interface';
import { azureInputs, cleanUpVariables } from './azure-interface';
import { peerMajors } from './peer';
import { peerInputs, peerOutputs, type PeerField } from './peer-interface';

interface Field {
  readonly default?: string;
}

interface Manifest {
  readonly inputs: Readonly<Record<string, Field>>;
  readonly outputs: Readonly<Record<string, Field>>;
}

const root = path.resolve(__dirname, '../../..');
// The file is in this repository, and the action's own specs check all of it.
const manifest = parse(readFileSync(path.join(root, 'packages/auth-action/action.yml'), 'utf8')) as Manifest;
const page = path.join(root, 'docs/auth-action/compatibility.md');

/** `WEIR_UPDATE_DOCS=1` rewrites the tables instead of comparing them. */
// oxlint-disable-next-line no-restricted-properties -- a switch for anyone who runs the specs
const isUpdate = process.env.WEIR_UPDATE_DOCS === '1';

describe('action.yml', () => {
  it.each([
    ['input', peerInputs, manifest.inputs],
    ['output', peerOutputs, manifest.outputs],
  ] as const)('has every required %s of the peer, by its name or its new name', (_, fields, own) => {
    const expected = fields.flatMap(({ name, here }) => {
      if (here.is === 'same') return [name];
      return here.is === 'renamed' ? [here.to] : [];
    });

    expect(expected.filter((name) => !(name in own))).toEqual([]);
  });

  it.each([
    ['input', awsInputs, manifest.inputs],
    ['output', awsOutputs, manifest.outputs],
    ['input', azureInputs, manifest.inputs],
  ] as const)('has the counterpart of every %s of the actions of AWS and Azure', (_, fields, own) => {
    const expected = fields.flatMap(({ here }) => ('to' in here && here.is !== 'variable' ? [here.to] : []));

    expect(expected.filter((name) => !(name in own))).toEqual([]);
  });

  it('has the input for every variable of the action of Azure', () => {
    expect([...cleanUpVariables.values()].filter((name) => !(name in manifest.inputs))).toEqual([]);
  });

  it('has no input that a finding would remove or rename', () => {
    const gone = peerInputs.flatMap(({ name, here }) => (here.is === 'same' ? [] : [name]));

    expect(gone.filter((name) => name in manifest.inputs)).toEqual([]);
  });
});

describe('docs/auth-action/compatibility.md', () => {
  it.each([
    ['inputs', () => table('Input', peerInputs, manifest.inputs)],
    ['outputs', () => table('Output', peerOutputs, manifest.outputs)],
  ])('lists the %s of every version and of action.yml', (name, createTable) => {
    const marked = new RegExp(`(<!-- ${name}:begin -->\n).*?(<!-- ${name}:end -->)`, 's');
    const text = readFileSync(page, 'utf8');
    const updated = text.replace(marked, (_, begin: string, end: string) => `${begin}\n${createTable()}\n\n${end}`);
    if (isUpdate) writeFileSync(page, updated);

    expect(text).toMatch(marked);
    expect(readRows(marked, isUpdate ? updated : text)).toEqual(readRows(marked, updated));
  });
});

describe('the tables for the actions of AWS and Azure', () => {
  it.each([
    ['aws-inputs', awsInputs],
    ['aws-outputs', awsOutputs],
    ['azure-inputs', azureInputs],
  ])('list its %s', (name, fields) => {
    const text = readFileSync(page, 'utf8');
    const marked = new RegExp(`<!-- ${name}:begin -->\n(.*?)<!-- ${name}:end -->`, 's');
    const rows = (marked.exec(text)?.[1] ?? '').matchAll(/^\| `([^`]+)` *\| (?:`([^`]+)`|no)/gm);
    const listed = [...rows].map(([, peer, own]) => [peer, own]);

    expect(listed).toEqual(fields.map((field) => [field.name, 'to' in field.here ? field.here.to : undefined]));
  });
});

describe('docs/auth-action/migrate.md', () => {
  it('explains every finding', () => {
    const source = readFileSync(path.join(__dirname, 'finding.ts'), 'utf8');
    const codes = [...source.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => code);
    const text = readFileSync(path.join(root, 'docs/auth-action/migrate.md'), 'utf8');
    const listed = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code);

    expect(codes).not.toEqual([]);
    expect([...listed].sort()).toEqual([...codes].sort());
  });
});

/** The fields of the peer in its order, then those that only this action has. */
function table(title: string, fields: readonly PeerField[], own: Manifest['inputs']): string {
  const known = fields.map((field) => {
    const versions = peerMajors.map((major) => (field.majors.includes(major) ? 'yes' : ''));
    return [`\`${field.name}\``, ...versions, describeHere(field)];
  });
  const additions = Object.keys(own).filter((name) => !fields.some((field) => field.name === name));
  const ours = additions.map((name) => [`\`${name}\``, ...peerMajors.map(() => ''), 'yes']);
  const head = [title, ...peerMajors.map((major) => `v${major}`), 'Weir Cloud Auth'];
  return [head, head.map(() => '---'), ...known, ...ours].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function describeHere({ here }: PeerField): string {
  if (here.is === 'same') return 'yes';
  return here.is === 'renamed' ? `\`${here.to}\`` : `${here.is === 'manual' ? 'no' : 'not needed'}: ${here.why}`;
}

/** Removes the padding that a formatter puts into tables. */
function readRows(marked: RegExp, text: string): readonly (readonly string[])[] {
  const rows = (marked.exec(text)?.[0] ?? '').split('\n').filter((line) => /^\|(?![\s|-]+$)/.test(line));
  return rows.map((row) => row.split('|').map((cell) => cell.trim()));
}
