import type { RandomSource } from '../../adapters/random-source';
import type { Bind } from '../../access/bind';
import type { WorkspaceRepository } from '../workspaces';
import { createDocFiles } from './doc-files';
import { bindDocRoutes } from './doc-routes';
import { createDocSearch } from './doc-search';
import { bindDocSearchRoutes } from './doc-search-routes';
import { createDocService } from './doc-service';

export { isDocId } from './doc-path';
export type Docs = ReturnType<typeof createDocs>;

export interface DocDependencies {
  readonly docsFolder: string;
  readonly random: RandomSource;
  readonly workspaces: Pick<WorkspaceRepository, 'list'>;
}

/** Creates the feature for Markdown documents beside the DAGs. */
export function createDocs({ docsFolder, random, workspaces }: DocDependencies) {
  const docFiles = createDocFiles({ folder: docsFolder, random });
  const docs = createDocService({ docFiles, workspaces });
  return {
    docFiles,
    docs,
    /** Whether a directory would belong to a workspace of this name. */
    hasDirectory: (name: string): Promise<boolean> => docFiles.isDirectory(name),
    bindRoutes: (bind: Bind): void => {
      bindDocRoutes(bind, docs, docFiles);
      bindDocSearchRoutes(bind, createDocSearch({ docs, docFiles }));
    },
  };
}
