import { spawnSync } from 'node:child_process';
import path from 'node:path';

export const chart = path.resolve(__dirname, '../../../../deploy/helm/weir');
const built = path.resolve(__dirname, '../../../../.runtime/go/helm');

/** Helm of the machine, or the one that `node tools/setup/go-programs.mjs helm` builds. */
export const helm = ['helm', built].find((each) => spawnSync(each, ['version']).status === 0);

export const missingHelm =
  helm === undefined ? 'Helm is not installed; "node tools/setup/go-programs.mjs helm" builds it with Go' : undefined;

export interface HelmAnswer {
  readonly code: number | null;
  readonly output: string;
}

export function callHelm(...args: readonly string[]): HelmAnswer {
  const { status, stdout, stderr } = spawnSync(helm ?? 'helm', args, { encoding: 'utf8', timeout: 60_000 });
  return { code: status, output: status === 0 ? stdout : stderr };
}
