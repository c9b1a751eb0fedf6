import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findNode } from '@weir/actions-runner';

export type NodeOrReason = { readonly node: string } | { readonly missing: string };

const installer = path.resolve(__dirname, '../../setup/runner-node.mjs');

/**
 * Finds a Node.js binary of this major version: that of the machine, otherwise one from npm, installed on first use.
 */
export function findRunnerNode(major: number): NodeOrReason {
  const node = findNode(major);
  if (node !== undefined) return { node };
  const { status, stdout, stderr } = spawnSync(process.execPath, [installer, String(major)], {
    encoding: 'utf8',
    timeout: 150_000,
  });
  if (status !== 0) return { missing: stderr.trim() || `the installation of Node ${major} timed out` };
  return JSON.parse(stdout) as NodeOrReason;
}
