// Turns the log of a failed command into one sentence.

const knownCauses = [
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/,
    'the package registry cannot be reached; check the network or the proxy settings of npm',
  ],
  [/\bEROFS\b/, 'the folder is on a read-only file system'],
  [/\b(EACCES|EPERM)\b/, 'there is no permission to write in this folder'],
  [/\bENOSPC\b/, 'the disk is full'],
  [/\bEINTEGRITY\b/, 'a downloaded package differs from the one that the lockfile names'],
  [/\b(ETARGET|E404)\b/, 'the registry does not have a package version that the lockfile names'],
  [/can only install packages when your package\.json/, 'package.json and package-lock.json do not agree'],
  [/Missing script: "?([\w:-]+)/, (match) => `the package has no script "${match[1]}"`],
];

/** The known cause in the text, or else its last line that says something. */
export function reasonFor(text) {
  for (const [pattern, sentence] of knownCauses) {
    const match = pattern.exec(text);
    if (match) return typeof sentence === 'string' ? sentence : sentence(match);
  }
  const lines = text.split('\n').map((line) => line.trim());
  const telling = lines.filter((line) => /error/i.test(line) && !/complete log of this run/i.test(line));
  return (telling[0] ?? lines.filter(Boolean).at(-1) ?? 'it said nothing').slice(0, 300);
}

/** The same for a file system error of the set-up itself. */
export function fileSystemReason(error) {
  const isFileSystemError = typeof error?.code === 'string' && typeof error.syscall === 'string';
  return isFileSystemError && /^(EROFS|EACCES|EPERM|ENOSPC)$/.test(error.code)
    ? `${reasonFor(error.code)}: ${error.path ?? ''}`
    : undefined;
}
