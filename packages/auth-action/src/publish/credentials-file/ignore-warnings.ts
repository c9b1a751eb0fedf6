import { existsSync } from 'node:fs';
import path from 'node:path';
import { readBoundedFile } from '../../runner/read-bounded-file';
import { dockerIgnores, gitIgnores } from './ignore-patterns';

const include = '#!include:';
// Far above real files, and far below what takes noticeable time.
const maxIgnoreFileBytes = 131_072;
const maxLineLength = 4096;
const maxIncludes = 10;

/**
 * One warning for each container image or upload that would include the file. An ignore file that cannot be read or is
 * larger than any real one counts as empty, because a needless warning is better than a missing one.
 */
export function listIgnoreWarnings(folder: string, name: string): readonly string[] {
  const at = (entry: string) => path.join(folder, entry);
  const docker = ['.dockerignore', 'Dockerfile.dockerignore'].filter((entry) => existsSync(at(entry)));
  const including = docker.filter((entry) => !dockerIgnores(readLines(at(entry)), name));
  const warnings = including.map((entry) =>
    formatWarning(name, `${entry} does not exclude it from container images`, entry),
  );
  if (docker.length === 0 && existsSync(at('Dockerfile'))) {
    const risk = 'without a .dockerignore it can become part of container images';
    warnings.push(formatWarning(name, risk, '.dockerignore'));
  }
  if (existsSync(at('.gcloudignore')) && !gitIgnores(uploadLines(folder), name)) {
    warnings.push(formatWarning(name, '.gcloudignore does not exclude it from uploads', '.gcloudignore'));
  }
  return warnings;
}

function formatWarning(name: string, risk: string, entry: string): string {
  return `The credentials file ${name} is in the workspace, and ${risk}. Add the line gha-creds-*.json to ${entry}.`;
}

/** Includes the lines of the files that it includes, which are in the same folder and cannot include others. */
function uploadLines(folder: string): readonly string[] {
  const lines = readLines(path.join(folder, '.gcloudignore'));
  if (lines.filter((line) => line.startsWith(include)).length > maxIncludes) return [];
  return lines.flatMap((line) => {
    if (!line.startsWith(include)) return [line];
    const included = line.slice(include.length).trim();
    return path.basename(included) === included ? readLines(path.join(folder, included)) : [];
  });
}

function readLines(file: string): readonly string[] {
  try {
    const lines = readBoundedFile(file, maxIgnoreFileBytes)
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/);
    return lines.some((line) => line.length > maxLineLength) ? [] : lines;
  } catch {
    return [];
  }
}
