import path from 'node:path';

/** The path of each exported page in this repository and in that of the action. */
export type PagePaths = ReadonlyMap<string, string>;

/** The name of the action's repository in the pages of this one. */
export const placeholderRepository = 'org/auth-action';

/** Parts of the README that are for those who build the action. */
const internalSections = ['How it is built inside', 'Commands'];

export interface PageSettings {
  /** Path in this repository. */
  readonly source: string;
  readonly paths: PagePaths;
  /** `OWNER/NAME` of the action's repository. */
  readonly repository: string;
}

/**
 * A page as the action's repository has it: links lead to other exported pages, and a link to anything else is its
 * text. The repository of the action replaces the placeholder.
 */
export function exportPage(text: string, { source, paths, repository }: PageSettings): string {
  const here = path.posix.dirname(paths.get(source) ?? '');
  const relinked = text.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, label: string, target: string) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return whole;
    const [file = '', anchor] = target.split('#', 2);
    const found = paths.get(path.posix.join(path.posix.dirname(source), file));
    if (found === undefined) return label;
    return `[${label}](${path.posix.relative(here, found)}${anchor === undefined ? '' : `#${anchor}`})`;
  });
  return relinked.replaceAll(placeholderRepository, repository);
}

/** The README for users: titled with the name of the action, without the sections about the sources. */
export function exportReadme(text: string, name: string): string {
  const [top = '', ...sections] = text.split(/^(?=## )/m);
  const kept = sections.filter((section) => !internalSections.some((title) => section.startsWith(`## ${title}\n`)));
  return `${[top.replace(/^# .*$/m, `# ${name}`), ...kept].join('').trimEnd()}\n`;
}
