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
