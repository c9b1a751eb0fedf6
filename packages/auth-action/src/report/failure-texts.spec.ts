import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { failureReasons, failureTexts } from './failure-texts';

const sources = path.join(__dirname, '..');
const page = readFileSync(path.join(sources, '../../../docs/auth-action/troubleshooting.md'), 'utf8');
const rows = new Map(
  [...page.matchAll(/^\| `(\w+)` *\| (.+?) *\| (.+?) *\|$/gm)].map(([, reason = '', cause, mend]) => [
    reason,
    { cause, mend },
  ]),
);

describe('the troubleshooting page', () => {
  it.each([...failureTexts])('says the same as the error with reason %s', (reason, text) => {
    expect(rows.get(reason)).toEqual(text);
  });

  it('has every reason and no other', () => {
    expect([...rows.keys()].sort()).toEqual([...failureReasons].sort());
  });
});

describe('the list of reasons', () => {
  it('has every reason that is given anywhere', () => {
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!\.(?:spec|contract))\.ts$/.test(file),
    );
    const texts = files.map((file) => readFileSync(path.join(sources, file), 'utf8'));
    const given = texts.flatMap((text) => [...text.matchAll(/\breason: '(\w+)'/g)].map(([, reason]) => reason));
    const services = ['oidc', 'sts', 'iam', 'oauth'].map((service) => `${service}_refused`);
    const guards = ['project', 'account'].map((kind) => `${kind}_not_expected`);
    expect(failureReasons).toEqual(expect.arrayContaining([...given, ...services, ...guards]));
    expect(given.length).toBeGreaterThan(5);
  });
});

describe('what the action says without failing', () => {
  const places = ['hand-out.ts', 'report/settings-notes.ts', 'entry', 'post', 'credentials-file'];
  const files = places.flatMap((place) => {
    const names = place.endsWith('.ts') ? [''] : readdirSync(path.join(sources, place));
    return names.map((name) => path.join(sources, place, name));
  });
  // Errors are told by their reason, and what goes to the plain log is good news.
  const texts = files
    .filter((file) => /(?<!\.(?:spec|contract))\.ts$/.test(file))
    .map((file) => readFileSync(file, 'utf8').replaceAll(/new AppError\([^]*?\);|\binfo\([`'][^]*?\);/g, ''));
  const said = texts.flatMap((text) =>
    [...text.matchAll(/(?:'|"|`)(?<sentence>[A-Z][^'`\n]*(?: [^'`\n]*){3})/g)].map(
      ({ groups }) => groups?.sentence ?? '',
    ),
  );
  const told = [...page.matchAll(/"(?<text>[A-Z][^"]+)"/g)].map(({ groups }) => groups?.text?.split('…') ?? []);
  const isTold = (sentence: string) => told.some((parts) => parts.every((part) => sentence.includes(part)));

  it('is on the page, whatever it is', () => {
    expect(said.filter((sentence) => !isTold(sentence))).toEqual([]);
    expect(said.length).toBeGreaterThan(10);
  });
});

describe('every error', () => {
  it('has a reason, by which the page tells of it', () => {
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!\.(?:spec|contract))\.ts$/.test(file),
    );
    const made = files.flatMap((file) =>
      [...readFileSync(path.join(sources, file), 'utf8').matchAll(/new AppError\([^]*?\n? *\}?\);/g)].map(
        ([text]) => `${file}: ${text}`,
      ),
    );
    expect(made.filter((text) => !/\breason\b/.test(text))).toEqual([]);
    expect(made.length).toBeGreaterThan(10);
  });
});
