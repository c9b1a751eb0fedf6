/** A changelog whose unreleased entries became a release, and the notes of that release. */
export interface ClosedChangelog {
  readonly text: string;
  readonly notes: string;
}

const heading = '## Unreleased';
/** The auth action has separate releases, so its entries wait for one of those. */
const ofAction = '- auth-action: ';

/** `date` is that of the release, such as `2026-11-24`. Throws if there is nothing to release. */
export function closeChangelog(text: string, { version, date }: { version: string; date: string }): ClosedChangelog {
  const [head = '', ...releases] = text.split(/^(?=## )/m);
  const [unreleased = '', ...earlier] = releases;
  if (!unreleased.startsWith(`${heading}\n`)) throw new Error(`CHANGELOG.md has no "${heading}" as its first release.`);
  const sections = unreleased.slice(heading.length).split(/^(?=### )/m);
  const notes = keep(sections, (line) => !line.startsWith(ofAction));
  if (notes === '') throw new Error('CHANGELOG.md has no unreleased entry of the products.');
  const remaining = keep(sections, (line) => line.startsWith(ofAction));
  const parts = [heading, remaining, `## ${version} (${date})`, notes].filter((part) => part !== '');
  return { text: `${head}${parts.join('\n\n')}\n\n${earlier.join('')}`.replace(/\n+$/, '\n'), notes };
}

/** The sections with the entries that `isKept` accepts. */
function keep(sections: readonly string[], isKept: (line: string) => boolean): string {
  return sections.flatMap((section) => keepEntries(section, isKept)).join('\n\n');
}

function keepEntries(section: string, isKept: (line: string) => boolean): readonly string[] {
  const entries = section.split('\n').filter((line) => line.startsWith('- ') && isKept(line));
  if (entries.length === 0) return [];
  const title = section.startsWith('### ') ? [section.split('\n', 1).join('')] : [];
  return [[...title, entries.join('\n')].join('\n\n')];
}
