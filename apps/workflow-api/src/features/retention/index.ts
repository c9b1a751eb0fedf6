export { inMemoryDagNames, prismaDagNames } from './dag-names';
export { removeRunFiles } from './remove-run-files';
export { createRunRemover } from './remove-run';
export { createRetention, type Retention, type RetentionDependencies } from './retention';
