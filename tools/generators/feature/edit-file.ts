import type { Tree } from '@nx/devkit';

/** Replaces the one place that a pattern finds. A file that no longer looks like that is not edited blindly. */
export function editFile(tree: Tree, file: string, pattern: RegExp, replacement: string): void {
  const text = tree.read(file, 'utf8');
  if (text === null) throw new Error(`${file} is missing.`);
  const edited = text.replace(pattern, replacement);
  if (edited === text) throw new Error(`${file} has no place for the new feature; looked for ${String(pattern)}.`);
  tree.write(file, edited);
}
