import type { DagRunSummary } from '@weir/workflow-engine';

/** Drops the fields of `run` that are not part of a summary. */
export function toSummary(run: DagRunSummary): DagRunSummary {
  return {
    id: run.id,
    dagName: run.dagName,
    dagRunId: run.dagRunId,
    fileName: run.fileName,
    status: run.status,
    params: run.params,
    labels: run.labels,
    workspace: run.workspace,
    triggerType: run.triggerType,
    queuedAt: run.queuedAt,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    createdAt: run.createdAt,
    scheduleTime: run.scheduleTime,
    logFile: run.logFile,
    workDir: run.workDir,
    error: run.error,
    ownerId: run.ownerId,
    stopRequestedAt: run.stopRequestedAt,
    queueName: run.queueName,
    depth: run.depth,
    parentId: run.parentId,
    parentNode: run.parentNode,
    rootId: run.rootId,
    fencingToken: run.fencingToken,
    attempt: run.attempt,
    autoRetryCount: run.autoRetryCount,
    autoRetryLimit: run.autoRetryLimit,
    retryAt: run.retryAt,
    priority: run.priority,
    artifactsDir: run.artifactsDir,
    workerSelector: run.workerSelector,
  };
}
