import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findingCatalogue, type FindingCode } from '../../source/findings/catalogue/finding-catalogue';
import { findingExamples } from '../../source/findings/catalogue/finding-examples';
import { parseDag } from '../document/parse-dag';
import { findingsPage } from './findings-page';

const file = path.resolve(__dirname, '../../../../../docs/findings.md');
const marked = /(<!-- findings:begin -->\n).*?(<!-- findings:end -->)/s;
const examples = Object.entries(findingExamples).map(([code, example]) => [code as FindingCode, example] as const);

/** `WEIR_UPDATE_DOCS=1` rewrites the page instead of comparing it. */
// oxlint-disable-next-line no-restricted-properties -- a switch for anyone who runs the specs
const isUpdate = process.env.WEIR_UPDATE_DOCS === '1';

describe('the catalogue of findings', () => {
  it.each(examples)('%s is found in its bad example', (code, { bad }) => {
    const { findings } = parseDag(bad);
    expect(findings.map((finding) => finding.code)).toContain(code);
    expect(findings.find((finding) => finding.code === code)?.severity).toBe(findingCatalogue[code].severity);
  });

  it.each(examples)('%s is fixed in its good example', (code, { good }) => {
    const { findings } = parseDag(good);
    expect(findings.filter((finding) => finding.severity === 'error' || finding.code === code)).toEqual([]);
  });
});

describe('docs/findings.md', () => {
  it('shows the catalogue as it is', () => {
    const text = readFileSync(file, 'utf8');
    const page = findingsPage(
      Object.fromEntries(examples.map(([code, example]) => [code, { ...findingCatalogue[code], ...example }])),
    );
    const updated = text.replace(marked, (_, begin: string, end: string) => [begin, page, '', end].join('\n'));
    if (isUpdate) writeFileSync(file, updated);

    expect(text).toMatch(marked);
    expect(isUpdate ? updated : text).toBe(updated);
  });
});
