import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { refusalReasons } from '../cloud/refusal-reason';
import { failureReasons, failureTexts } from './failure-texts';

const sources = path.join(__dirname, '..');
const isSource = (file: string) =>
  file.endsWith('.ts') && !/(?:spec|\.contract)\.ts$/.test(file) && !file.includes('testing');
const page = readFileSync(path.join(sources, '../../../docs/auth-action/troubleshooting.md'), 'utf8');
const rows = new Map(
  [...page.matchAll(/^\| `(\w+)` *\| (.+?) *\| (.+?) *\|$/gm)].map(([, reason = '', cause, nextStep]) => [
    reason,
    { cause, nextStep },
  ]),
);

describe('the troubleshooting page', () => {
  it.each([...failureTexts])('has the same text as the error with reason %s', (reason, text) => {
    expect(rows.get(reason)).toEqual(text);
  });

  it('has exactly the existing reasons', () => {
    expect([...rows.keys()].sort()).toEqual([...failureReasons].sort());
  });
});

describe('the list of reasons', () => {
  it('has every reason that is used anywhere', () => {
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => isSource(file));
    const texts = files.map((file) => readFileSync(path.join(sources, file), 'utf8'));
    const given = texts.flatMap((text) => [...text.matchAll(/\breason: '(\w+)'/g)].map(([, reason]) => reason));
    const guards = ['project', 'account'].map((kind) => `${kind}_not_expected`);
    expect(failureReasons).toEqual(expect.arrayContaining([...given, ...refusalReasons, ...guards]));
    expect(given.length).toBeGreaterThan(5);
  });
});

describe('notices and warnings', () => {
  const sourcePaths = [
    'publish/publish-credentials.ts',
    'publish/publish-file.ts',
    'publish/credentials-file',
    'publish/docker/sign-out-of-registries.ts',
    'publish/gcloud/remove-configuration.ts',
    'publish/clouds/remove-token-folder.ts',
    'publish/azure/sign-out.ts',
    'publish/packages',
    'report/settings-notes.ts',
    'run/create-actions-runtime.ts',
    'run/execute-action.ts',
    'post',
  ];
  const files = sourcePaths.flatMap((sourcePath) => {
    const names = sourcePath.endsWith('.ts') ? [''] : readdirSync(path.join(sources, sourcePath));
    return names.map((name) => path.join(sources, sourcePath, name));
  });
  // The page lists errors by reason, and plain log lines need no explanation.
  const texts = files
    .filter((file) => isSource(file))
    .map((file) =>
      readFileSync(file, 'utf8').replaceAll(/new AppError\([^]*?\);|\binfo\([`'][^]*?\);|\bdone: '.*'/g, ''),
    );
  const messages = texts.flatMap((text) =>
    [...text.matchAll(/(?:'|"|`)(?<sentence>[A-Z][^'`\n]*(?: [^'`\n]*){3})/g)].map(
      ({ groups }) => groups?.sentence ?? '',
    ),
  );
  const documented = [...page.matchAll(/"(?<text>[A-Z][^"]+)"/g)].map(({ groups }) => groups?.text?.split('…') ?? []);
  const isDocumented = (sentence: string) => documented.some((parts) => parts.every((part) => sentence.includes(part)));

  it('are all on the page', () => {
    expect(messages.filter((sentence) => !isDocumented(sentence))).toEqual([]);
    expect(messages.length).toBeGreaterThan(10);
  });
});

describe('the most common errors', () => {
  const [, section = ''] = /## The most common errors, by their text\n(.*?)\n## /s.exec(page) ?? [];
  const quoted = [...section.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text).filter((text) => text.includes(' '));
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => isSource(file));
  const code = files.map((file) => readFileSync(path.join(sources, file), 'utf8')).join('\n');
  // Of a refusal, the host, the name of the call and the status are put in.
  const partsOf = (text: string): readonly string[] => {
    const [, call] = /^\S+ rejected the (.+) with status \S+(?: …)?$/.exec(text) ?? [];
    return call === undefined ? text.replace(/^Input \w+/, '').split('…') : [call];
  };

  it.each(quoted)('has the words of the sources: %s', (text) => {
    expect(partsOf(text).filter((part) => !code.includes(part.trim()))).toEqual([]);
  });

  it('are twenty', () => {
    expect(section.match(/^\| (?!Text|---)/gm)).toHaveLength(20);
  });
});

describe('every error', () => {
  it('has a reason', () => {
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => isSource(file));
    const errors = files.flatMap((file) =>
      [...readFileSync(path.join(sources, file), 'utf8').matchAll(/new AppError\([^]*?\n? *\}?\);/g)].map(
        ([text]) => `${file}: ${text}`,
      ),
    );
    expect(errors.filter((text) => !/\breason\b/.test(text))).toEqual([]);
    expect(errors.length).toBeGreaterThan(10);
  });
});
