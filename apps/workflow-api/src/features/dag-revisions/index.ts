export {
  revisionWithoutText,
  type DagRevision,
  type DagRevisionRepository,
  type DagRevisionWithText,
  type RevisionChange,
} from './dag-revision';
export { createInMemoryDagRevisionRepository } from './in-memory-dag-revision-repository';
export { createPrismaDagRevisionRepository } from './prisma-dag-revision-repository';
export { createRevisionLog, type FileState, type RevisionLog, type RevisionLogDependencies } from './revision-log';
export { unifiedDiff } from './unified-diff';
export { presentRevision, presentRevisionDiff, presentRevisionPage } from './present-revisions';
export { createRevisionReader, type Comparison, type RevisionList } from './revision-reader';
