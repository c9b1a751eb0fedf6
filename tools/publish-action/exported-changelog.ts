const item = '- auth-action: ';

/** The entries about the action, by release. What is unreleased when the action is exported belongs to this version. */
export function exportChangelog(text: string, version: string): string {
  const releases = text.split(/^(?=## )/m).slice(1);
  const sections = releases.flatMap((release) => {
    const title = release.split('\n', 1).join('');
    const kinds = release.split(/^(?=### )/m).flatMap(keepItems);
    return kinds.length === 0 ? [] : [[title.replace('Unreleased', version), ...kinds].join('\n\n')];
  });
  return `${['# Changelog', ...sections].join('\n\n')}\n`;
}

function keepItems(section: string): readonly string[] {
  const items = section.split('\n').filter((line) => line.startsWith(item));
  if (items.length === 0) return [];
  const title = section.startsWith('### ') ? [section.split('\n', 1).join('')] : [];
  return [[...title, items.map((line) => `- ${sentence(line.slice(item.length))}`).join('\n')].join('\n\n')];
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
