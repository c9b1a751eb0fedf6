import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';

/** The name of the file in a release. */
export const singleFile = 'weir-linux-x64';

export interface SingleFileOptions {
  /** A checkout in which the server is built, on Linux with an x64 processor. */
  readonly root: string;
  readonly output: string;
}

/**
 * Writes the workflow server with its Node as one file that runs where neither is installed. A Node with the program in
 * its binary (a "single executable application") would not do: the server starts processes and threads of files of its
 * own, and such a Node runs only the file in it.
 */
export async function buildSingleFile({ root, output }: SingleFileOptions): Promise<void> {
  const draft = temporaryFolder('weir-single-file-');
  try {
    const run = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    const { node = '' } = JSON.parse(run('tools/setup/runner-node.mjs', '24')) as { readonly node?: string };
    run('tools/scripts/stage-app.mjs', 'apps/workflow-api', draft.file('content/program'));
    mkdirSync(draft.file('content/bin'));
    copyFileSync(node, draft.file('content/bin/node'));
    copyFileSync(path.resolve(node, '../../LICENSE'), draft.file('content/bin/LICENSE'));
    const archive = draft.file('content.tar.gz');
    // The same bytes for the same files: without owners, times and the name of the archive.
    const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go=rX'];
    const from = ['--directory', draft.file('content'), '.'];
    execFileSync('tar', ['--create', '--use-compress-program=gzip -n', ...same, '--file', archive, ...from]);
    const content = readFileSync(archive);
    const file = path.join(output, singleFile);
    writeFileSync(file, start(createHash('sha256').update(content).digest('hex').slice(0, 16)));
    appendFileSync(file, content);
    chmodSync(file, 0o755);
  } finally {
    await draft.remove();
  }
}

/** Unpacks what follows it at the first start, and runs it. Of several first starts at once, one unpacks for all. */
const start = (digest: string): string => {
  const script = `#!/bin/sh
# The Weir workflow server for Linux on x64, with its Node. Text ends after "exit"; an archive follows.
set -eu
cache=\${XDG_CACHE_HOME:-\${HOME:?is not set}/.cache}/weir
folder=$cache/program-${digest}
if ! [ -d "$folder" ]; then
  umask 077
  mkdir -p "$cache"
  # What a first start that was killed has left.
  find "$cache" -maxdepth 1 -name 'draft-*' -mmin +60 -exec rm -rf {} + 2>/dev/null || true
  draft=$(mktemp -d "$cache/draft-XXXXXX")
  trap 'rm -rf "$draft"' EXIT
  tail -n +LINES "$0" | tar -xz -C "$draft" --no-same-owner
  mv -T "$draft" "$folder" 2>/dev/null || [ -d "$folder" ]
  rm -rf "$draft"
  trap - EXIT
fi
case $0 in */dagu) export WEIR_COMPAT=dagu ;; esac
exec "$folder/bin/node" "$folder/program/dist/main.js" "$@"
exit
`;
  return script.replace('LINES', String(script.split('\n').length));
};
