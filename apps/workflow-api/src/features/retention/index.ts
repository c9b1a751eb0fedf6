export { inMemoryDagNames, prismaDagNames, type DagNamesAfter } from './dag-names';
export { removeRunFiles, type RunFolders } from './remove-run-files';
export { createRunRemover, type RemoveRun } from './remove-run';
export { createRetention, withRetention, type Retention, type RetentionDependencies } from './retention';
