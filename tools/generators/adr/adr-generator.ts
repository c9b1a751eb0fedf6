import { formatFiles, type Tree } from '@nx/devkit';

const folder = 'docs/adr';
const index = `${folder}/README.md`;
const indexStart = '# Architecture decisions\n\nOne page each, in the order in which they were made.\n\n';

const record = (title: string): string => `# ${title}

Status: proposed

## Context

What makes a decision necessary, and what it has to respect.

## Decision

What we do, in one or two sentences, and then how.

## Consequences

What becomes easier, what becomes harder, and what must be watched.

## Alternatives

What else was weighed, and why it was left.
`;

export async function adrGenerator(tree: Tree, { title }: { readonly title: string }): Promise<void> {
  const name = `${nextNumber(tree)}-${toSlug(title)}.md`;
  tree.write(`${folder}/${name}`, record(title.trim()));
  const listed = tree.read(index, 'utf8') ?? indexStart;
  tree.write(
    index,
    `${listed.trimEnd()}\n${listed === indexStart ? '\n' : ''}- [${name.slice(0, 4)} ${title.trim()}](${name})\n`,
  );
  await formatFiles(tree);
}

function nextNumber(tree: Tree): string {
  const taken = tree.children(folder).map((name) => Number.parseInt(name, 10));
  const highest = Math.max(0, ...taken.filter((number) => !Number.isNaN(number)));
  return String(highest + 1).padStart(4, '0');
}

function toSlug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
