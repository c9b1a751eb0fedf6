import type { ArtifactTreeNode } from '@weir/workflow-contract/schemas';
import type { RunFolder, StoredEntry } from '../../run-files';
import { artifactsTooMany } from './artifact-errors';

const maxNodes = 10_000;
const maxDepth = 100;

export interface ArtifactTreeOptions {
  readonly isRecursive: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Lists the content of a folder of artifacts, folders first, then by name. Links and everything except files and
 * folders are left out. The list is empty where there is no folder; it is created when its run starts.
 */
export async function readArtifactTree(
  root: RunFolder,
  { isRecursive, signal }: ArtifactTreeOptions,
): Promise<readonly ArtifactTreeNode[] | undefined> {
  let count = 0;
  return readNodes('', 0);

  async function readNodes(below: string, depth: number): Promise<ArtifactTreeNode[] | undefined> {
    signal?.throwIfAborted();
    const entries = await root.list(below);
    if (entries === undefined) return undefined;
    count += entries.length;
    if (count > maxNodes) throw artifactsTooMany(maxNodes);
    const nodes = entries.map((entry) => toNode(below, entry));
    if (isRecursive && depth < maxDepth) {
      for (const node of nodes) if (node.type === 'directory') await expand(node, depth + 1);
    }
    return nodes.sort(compareNodes);
  }

  async function expand(node: ArtifactTreeNode, depth: number): Promise<void> {
    const children = await readNodes(node.path, depth);
    delete node.size;
    if (children !== undefined && children.length > 0) node.children = children;
  }
}

function toNode(below: string, entry: StoredEntry): ArtifactTreeNode {
  return { ...entry, path: below === '' ? entry.name : `${below}/${entry.name}` };
}

function compareNodes(left: ArtifactTreeNode, right: ArtifactTreeNode): number {
  if (left.type !== right.type) return left.type === 'directory' ? -1 : 1;
  const [a, b] = [left.name.toLowerCase(), right.name.toLowerCase()];
  if (a !== b) return a < b ? -1 : 1;
  return left.name < right.name ? -1 : 1;
}
