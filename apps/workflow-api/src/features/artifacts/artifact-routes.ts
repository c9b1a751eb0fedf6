import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { Principal } from '../../access/principal';
import type { RunAddress, RunAddresses } from '../runs';
import type { RunFiles, RunFolder } from '../../run-files';
import { artifactNotFound, artifactsNotFound } from './artifact-errors';
import { downloadArtifact, previewArtifact } from './artifact-file';
import { readArtifactTree } from './artifact-tree';

export interface ArtifactRoutesDependencies {
  readonly addresses: Pick<RunAddresses, 'toRead'>;
  readonly runFiles: Pick<RunFiles, 'view'>;
}

/** Binds the operations on artifacts of runs, and of their child runs. */
export function bindArtifactRoutes(bind: Bind, { addresses, runFiles }: ArtifactRoutesDependencies): void {
  const findFolder = async (address: RunAddress, principal: Principal): Promise<RunFolder | undefined> => {
    const { artifactsDir } = await addresses.toRead(address, principal);
    return artifactsDir === null ? undefined : runFiles.view(artifactsDir);
  };

  const list = async (address: RunAddress, principal: Principal, options: Parameters<typeof readArtifactTree>[1]) => {
    const folder = await findFolder(address, principal);
    const items = folder && (await readArtifactTree(folder, options));
    if (items === undefined) throw artifactsNotFound();
    return { items: [...items] };
  };

  const requireFolder = async (address: RunAddress, principal: Principal): Promise<RunFolder> => {
    const folder = await findFolder(address, principal);
    if (folder === undefined) throw artifactNotFound();
    return folder;
  };

  for (const endpoint of [workflowContract.getDagRunArtifacts, workflowContract.getSubDagRunArtifacts]) {
    bind(endpoint, ({ input: { params, query }, principal, signal }) => {
      return list(params, principal, { isRecursive: query.recursive === 'true', signal });
    });
  }

  for (const endpoint of [workflowContract.getDagRunArtifactPreview, workflowContract.getSubDagRunArtifactPreview]) {
    bind(endpoint, async ({ input: { params, query }, principal }) => {
      return previewArtifact(await requireFolder(params, principal), query.path);
    });
  }

  for (const endpoint of [workflowContract.downloadDagRunArtifact, workflowContract.downloadSubDagRunArtifact]) {
    bind(endpoint, async ({ input: { params, query }, principal }) => {
      return downloadArtifact(await requireFolder(params, principal), query.path);
    });
  }
}
