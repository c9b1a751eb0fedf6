import type { ActionExport } from './exported-files';
import { createGit, type Git } from './git';

const author = { name: 'Weir releases', email: 'releases@weir.invalid' };

/**
 * Writes the export into a new bare repository, as one commit without a parent. Its id depends on nothing but the files
 * and the source commit, so anyone can reproduce it.
 */
export function writeExportCommit(exported: ActionExport, source: Git, sourceCommit: string, folder: string): string {
  source.text(['init', '--quiet', '--bare', '--object-format=sha1', folder]);
  const git = createGit(folder);
  const tree = writeTree(git, exported.files);
  const date = `${source.text(['show', '--no-patch', '--format=%ct', sourceCommit])} +0000`;
  const message = `${exported.name} ${exported.version}\n\nSource-Commit: ${sourceCommit}\n`;
  return git.text(['commit-tree', tree], {
    input: Buffer.from(message),
    env: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
      GIT_COMMITTER_DATE: date,
    },
  });
}

function writeTree(git: Git, files: ReadonlyMap<string, Buffer>): string {
  const entries = [...files].map(([file, input]) => {
    const blob = git.text(['hash-object', '-w', '--stdin'], { input });
    return `100644 blob ${blob}\t${file}\n`;
  });
  git.text(['update-index', '--add', '--index-info'], { input: Buffer.from(entries.join('')) });
  return git.text(['write-tree']);
}
