import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/errors';
import type { ArtifactTreeNode } from '@weir/workflow-contract';
import { artifactsTooMany } from './artifact-errors';

const maxNodes = 10_000;
const maxDepth = 100;

export interface ArtifactTreeOptions {
  readonly isRecursive: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Whether the folder exists. It is created when its run starts. */
export async function isArtifactFolder(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(ignoreMissing);
  return stats?.isDirectory() ?? false;
}

/** What a folder of artifacts holds, folders first, then by name. Links and what is no file are left out. */
export async function readArtifactTree(
  root: string,
  { isRecursive, signal }: ArtifactTreeOptions,
): Promise<readonly ArtifactTreeNode[]> {
  let count = 0;
  return readNodes('', 0);

  async function readNodes(below: string, depth: number): Promise<ArtifactTreeNode[]> {
    const nodes: ArtifactTreeNode[] = [];
    for (const entry of await readdir(path.join(root, below), { withFileTypes: true })) {
      signal?.throwIfAborted();
      const here = below === '' ? entry.name : `${below}/${entry.name}`;
      const node = await readNode(here, entry.name);
      if (node === undefined) continue;
      count += 1;
      if (count > maxNodes) throw artifactsTooMany(maxNodes);
      nodes.push(node);
    }
    if (isRecursive && depth < maxDepth) {
      for (const node of nodes) if (node.type === 'directory') await expand(node, depth + 1);
    }
    return nodes.sort(compareNodes);
  }

  async function readNode(here: string, name: string): Promise<ArtifactTreeNode | undefined> {
    const stats = await lstat(path.join(root, here)).catch(ignoreMissing);
    if (stats?.isDirectory()) return { name, path: here, type: 'directory', size: stats.size };
    return stats?.isFile() ? { name, path: here, type: 'file', size: stats.size } : undefined;
  }

  async function expand(node: ArtifactTreeNode, depth: number): Promise<void> {
    const children = await readNodes(node.path, depth).catch(ignoreMissing);
    delete node.size;
    if (children !== undefined && children.length > 0) node.children = children;
  }
}

/** A step may remove what is being listed. */
function ignoreMissing(error: unknown): undefined {
  if (isSystemError(error, 'ENOENT') || isSystemError(error, 'ENOTDIR')) return undefined;
  throw error;
}

function compareNodes(left: ArtifactTreeNode, right: ArtifactTreeNode): number {
  if (left.type !== right.type) return left.type === 'directory' ? -1 : 1;
  const [a, b] = [left.name.toLowerCase(), right.name.toLowerCase()];
  if (a !== b) return a < b ? -1 : 1;
  return left.name < right.name ? -1 : 1;
}
