/** A change of one file in a commit. */
export interface CommittedFile {
  /** The path from the top of the repository. */
  readonly path: string;
  /** Missing for a file that is deleted. */
  readonly text?: string | undefined;
  readonly mode?: '100644' | '100755' | undefined;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface CommitOrder {
  /** Missing for the first commit of a branch. */
  readonly parent: string | undefined;
  readonly author: Identity;
  readonly committer: Identity;
  readonly message: string;
  readonly at: Date;
  readonly files: readonly CommittedFile[];
}

/** Git stores a commit under this name before it is pushed. */
const outgoing = 'refs/weir/outgoing';

/** Formats the input with which `git fast-import` makes one commit and prints its id. Paths have neither quotes nor line ends. */
export function formatCommit({ parent, author, committer, message, at, files }: CommitOrder): string {
  const time = `${Math.floor(at.getTime() / 1000)} +0000`;
  return [
    'feature done\n',
    'feature get-mark\n',
    `commit ${outgoing}\nmark :1\n`,
    `author ${formatIdentity(author)} ${time}\n`,
    `committer ${formatIdentity(committer)} ${time}\n`,
    formatData(message),
    parent === undefined ? '' : `from ${parent}\n`,
    ...files.map(formatFile),
    'get-mark :1\ndone\n',
  ].join('');
}

function formatFile({ path, text, mode = '100644' }: CommittedFile): string {
  return text === undefined ? `D ${path}\n` : `M ${mode} inline ${path}\n${formatData(text)}`;
}

function formatData(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function formatIdentity({ name, email }: Identity): string {
  return `${withoutMarks(name).trim()} <${withoutMarks(email).replaceAll(/\s/g, '')}>`;
}

/** Removes characters that would end the name or the line. */
function withoutMarks(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[<>\u0000-\u001f\u007f]/g, '');
}
