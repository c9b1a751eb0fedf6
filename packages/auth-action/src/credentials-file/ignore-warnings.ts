import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { dockerIgnores, gitIgnores } from './ignore-patterns';

const maxBytes = 1_048_576;
const include = '#!include:';

/**
 * One warning for each way in which the file would get into a container image or an upload. What cannot be read
 * counts as an empty ignore file: better one warning too many.
 */
export function ignoreWarnings(folder: string, name: string): readonly string[] {
  const at = (entry: string) => path.join(folder, entry);
  const docker = ['.dockerignore', 'Dockerfile.dockerignore'].filter((entry) => existsSync(at(entry)));
  const letIn = docker.filter((entry) => !dockerIgnores(linesOf(at(entry)), name));
  const warnings = letIn.map((entry) => warning(name, `${entry} lets it into container images`, entry));
  if (docker.length === 0 && existsSync(at('Dockerfile'))) {
    const risk = 'a Dockerfile without a .dockerignore lets it into container images';
    warnings.push(warning(name, risk, '.dockerignore'));
  }
  if (existsSync(at('.gcloudignore')) && !gitIgnores(uploadLines(folder), name)) {
    warnings.push(warning(name, '.gcloudignore lets it into uploads', '.gcloudignore'));
  }
  return warnings;
}

function warning(name: string, risk: string, entry: string): string {
  return `The credentials file ${name} lies in the workspace, and ${risk}. Add the line gha-creds-*.json to ${entry}.`;
}

/** With the lines of the files that it includes, which lie beside it and include no others. */
function uploadLines(folder: string): readonly string[] {
  return linesOf(path.join(folder, '.gcloudignore')).flatMap((line) => {
    if (!line.startsWith(include)) return [line];
    const included = line.slice(include.length).trim();
    return path.basename(included) === included ? linesOf(path.join(folder, included)) : [];
  });
}

function linesOf(file: string): readonly string[] {
  try {
    const stats = statSync(file);
    // Anything else could be endless, or wait for a writer that never comes.
    if (!stats.isFile() || stats.size > maxBytes) return [];
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/);
  } catch {
    return [];
  }
}
