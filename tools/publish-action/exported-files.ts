import { parse } from 'yaml';
import { exportChangelog } from './exported-changelog';
import { exportPage, exportReadme } from './exported-pages';
import { Refusal, type Git } from './git';
import { isReleaseVersion } from './version';

const action = 'packages/auth-action';
const pages = 'docs/auth-action';

export interface ActionExport {
  readonly name: string;
  readonly version: string;
  /** Contents by path in the action's repository. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The content of the action's repository at a commit of this one. It depends on nothing but these two arguments. */
export function exportFiles(git: Git, commit: string, repository: string): ActionExport {
  const read = (file: string): Buffer => git.bytes(['cat-file', 'blob', `${commit}:${file}`]);
  const list = (folder: string): readonly string[] =>
    git.text(['ls-tree', '-r', '--name-only', '--full-tree', commit, '--', `${folder}/`]).split('\n');
  const { version } = JSON.parse(read(`${action}/package.json`).toString()) as { readonly version: string };
  if (!isReleaseVersion(version)) throw new Refusal(`${version} is not MAJOR.MINOR.PATCH, so it is not released.`);
  const { name } = parse(read(`${action}/action.yml`).toString()) as { readonly name: string };

  const pagePaths = new Map([
    [`${action}/README.md`, 'README.md'],
    ...list(pages)
      .filter((file) => file.endsWith('.md'))
      .map((file): [string, string] => [file, exportedPagePath(file)]),
  ]);
  const exportedPages = [...pagePaths].map(([source, target]): [string, Buffer] => {
    const text = exportPage(read(source).toString(), { source, paths: pagePaths, repository });
    return [target, Buffer.from(target === 'README.md' ? exportReadme(text, name) : text)];
  });
  const copies = [`${action}/action.yml`, ...list(`${action}/dist`)];
  return {
    name,
    version,
    files: new Map<string, Buffer>([
      ...copies.map((file): [string, Buffer] => [file.slice(action.length + 1), read(file)]),
      ['LICENSE', read('LICENSE')],
      ['CHANGELOG.md', Buffer.from(exportChangelog(read('CHANGELOG.md').toString(), version))],
      ...exportedPages,
    ]),
  };
}

/** The page about security is at the root, where people look for it. */
function exportedPagePath(source: string): string {
  const name = source.slice(pages.length + 1);
  return name === 'security.md' ? name : `docs/${name}`;
}
