import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CatalogueEntry } from '../findings/catalogue/catalogue-entry';
import { findingCatalogue } from '../findings/catalogue/finding-catalogue';
import { parseDag } from '../dag/parse-dag';
import { findingsPage } from './findings-page';

const file = path.resolve(__dirname, '../../../../docs/findings.md');
const marked = /(<!-- findings:begin -->\n).*?(<!-- findings:end -->)/s;
const entries: Readonly<Record<string, CatalogueEntry>> = findingCatalogue;

/** `WEIR_UPDATE_DOCS=1` rewrites the page instead of comparing it. */
// eslint-disable-next-line no-restricted-properties -- a switch for anyone who runs the specs
const isUpdate = process.env.WEIR_UPDATE_DOCS === '1';

describe('the catalogue of findings', () => {
  const all = Object.entries(entries);

  it.each(all)('%s is found in its bad example', (code, { bad, severity }) => {
    const { findings } = parseDag(bad);
    expect(findings.map((finding) => finding.code)).toContain(code);
    expect(findings.find((finding) => finding.code === code)?.severity).toBe(severity);
  });

  it.each(all)('%s is fixed in its good example', (code, { good }) => {
    const { findings } = parseDag(good);
    expect(findings.filter((finding) => finding.severity === 'error' || finding.code === code)).toEqual([]);
  });
});

describe('docs/findings.md', () => {
  it('shows the catalogue as it is', () => {
    const text = readFileSync(file, 'utf8');
    const page = findingsPage(entries);
    const updated = text.replace(marked, (_, begin: string, end: string) => [begin, page, '', end].join('\n'));
    if (isUpdate) writeFileSync(file, updated);

    expect(text).toMatch(marked);
    expect(isUpdate ? updated : text).toBe(updated);
  });
});
