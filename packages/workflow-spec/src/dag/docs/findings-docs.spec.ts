import { findingCatalogue, type FindingCode } from '../../source/findings/catalogue/finding-catalogue';
import { findingExamples } from '../../source/findings/catalogue/finding-examples';
import { parseDag } from '../document/parse-dag';
import { findingsPage } from './findings-page';

const examples = Object.entries(findingExamples).map(([code, example]) => [code as FindingCode, example] as const);
const page = findingsPage();

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

describe('findingsPage', () => {
  it.each(examples)('lists %s and has a section of it', (code) => {
    expect(page).toContain(`| [\`${code}\`](#${code}) `);
    expect(page).toContain(`\n## ${code} {#${code}}\n`);
  });
});
