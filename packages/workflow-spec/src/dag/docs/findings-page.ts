import type { CatalogueEntry, FindingExample } from '../../source/findings/catalogue/catalogue-entry';
import { findingCatalogue, type FindingCode } from '../../source/findings/catalogue/finding-catalogue';
import { findingExamples } from '../../source/findings/catalogue/finding-examples';
import { shownExample } from '../../source/findings/catalogue/shown-example';
import { parseDag } from '../document/parse-dag';
import { markdownTable } from './markdown-table';

type Entry = CatalogueEntry & FindingExample;

const severityNotes = {
  error: 'Error: the file cannot run.',
  warning: 'Warning: the file runs.',
  info: 'Notice: the file runs; the value is known only at run time.',
} as const;

const catalogue: Readonly<Record<string, Entry>> = Object.fromEntries(
  Object.entries(findingExamples).map(([code, example]) => [
    code,
    { ...findingCatalogue[code as FindingCode], ...example },
  ]),
);

/** Returns a page with every code: its meaning, a file that has the finding, the messages, and the corrected file. */
export function findingsPage(entries = catalogue): string {
  const codes = Object.keys(entries).sort();
  const rows = codes.map((code) => [
    `[\`${code}\`](#${code})`,
    entries[code]?.severity ?? '',
    entries[code]?.summary ?? '',
  ]);
  const overview = markdownTable(['Code', 'Severity', 'Meaning'], rows);
  const sections = Object.entries(entries)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([code, entry]) => formatSection(code, entry));
  return [overview, ...sections].join('\n\n');
}

function formatSection(code: string, { severity, summary, bad, good }: Entry): string {
  return [
    // The anchor is written out, because the site would make hyphens of the underscores.
    `## ${code} {#${code}}`,
    `${summary} ${severityNotes[severity]}`,
    fenceCode('yaml', shownExample(bad)),
    fenceCode('text', formatFindings(bad, code)),
    'Corrected:',
    fenceCode('yaml', shownExample(good)),
  ].join('\n\n');
}

function formatFindings(text: string, code: string): string {
  const { findings } = parseDag(text);
  const lines = findings
    .filter((finding) => finding.code === code)
    .map(({ line, column, message, severity, fix }) => {
      const fixNote = fix === undefined ? '' : ` (fix: ${fix.title})`;
      return `[${line}:${column}] ${severity} ${code}: ${message}${fixNote}`;
    });
  return shownExample([...new Set(lines)].slice(0, 5).join('\n'));
}

// The fence is longer than any run of backticks in the text.
function fenceCode(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
