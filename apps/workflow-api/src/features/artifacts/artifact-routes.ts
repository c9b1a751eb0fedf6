import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import type { Principal } from '../auth';
import type { RunAddress, RunAddresses } from '../dag-runs';
import { assertLocalNode } from '../remote-node';
import { artifactNotFound, artifactsNotFound } from './artifact-errors';
import { downloadArtifact, previewArtifact } from './artifact-file';
import { readArtifactTree, isArtifactFolder } from './artifact-tree';

/** The artifacts of runs, and of the runs below them. */
export function bindArtifactRoutes(bind: Bind, addresses: RunAddresses): void {
  const findFolder = async (address: RunAddress, principal: Principal): Promise<string | null> =>
    (await addresses.toRead(address, principal)).artifactsDir;

  const list = async (address: RunAddress, principal: Principal, options: Parameters<typeof readArtifactTree>[1]) => {
    const folder = await findFolder(address, principal);
    if (folder === null || !(await isArtifactFolder(folder))) throw artifactsNotFound();
    return { items: [...(await readArtifactTree(folder, options))] };
  };

  const requireFolder = async (address: RunAddress, principal: Principal): Promise<string> => {
    const folder = await findFolder(address, principal);
    if (folder === null) throw artifactNotFound();
    return folder;
  };

  for (const endpoint of [workflowContract.getDagRunArtifacts, workflowContract.getSubDagRunArtifacts]) {
    bind(endpoint, ({ input: { params, query }, principal, signal }) => {
      assertLocalNode(query);
      return list(params, principal, { isRecursive: query.recursive === 'true', signal });
    });
  }

  for (const endpoint of [workflowContract.getDagRunArtifactPreview, workflowContract.getSubDagRunArtifactPreview]) {
    bind(endpoint, async ({ input: { params, query }, principal }) => {
      assertLocalNode(query);
      return previewArtifact(await requireFolder(params, principal), query.path);
    });
  }

  for (const endpoint of [workflowContract.downloadDagRunArtifact, workflowContract.downloadSubDagRunArtifact]) {
    bind(endpoint, async ({ input: { params, query }, principal }) => {
      assertLocalNode(query);
      return downloadArtifact(await requireFolder(params, principal), query.path);
    });
  }
}
