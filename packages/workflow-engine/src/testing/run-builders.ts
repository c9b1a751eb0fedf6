import { createHash } from 'node:crypto';
import type { DagRun, DagRunStep } from '../model/run-model/dag-run';

export { toOwnerEvent } from '../model/state-machine/owner-transitions';

const moment = new Date('2026-01-02T03:04:05.678Z');

export function aRun(values: Partial<DagRun> = {}): DagRun {
  const id = values.id ?? 'run-1';
  const specText = values.specText ?? 'steps:\n  - name: extract\n    run: "true"\n';
  return {
    id,
    dagName: 'nightly',
    dagRunId: id,
    fileName: 'nightly',
    status: 'queued',
    params: '',
    labels: [],
    workspace: null,
    triggerType: 'manual',
    startedBy: null,
    queuedAt: moment,
    startedAt: null,
    finishedAt: null,
    createdAt: moment,
    scheduleTime: null,
    logFile: '',
    workDir: '/nowhere',
    error: null,
    ownerId: null,
    stopRequestedAt: null,
    queueName: null,
    depth: 0,
    parentId: null,
    parentNode: null,
    rootId: null,
    fencingToken: 0,
    attempt: 1,
    autoRetryCount: 0,
    autoRetryLimit: null,
    retryAt: null,
    priority: 0,
    artifactsDir: null,
    workerSelector: '{}',
    profile: null,
    profileLayers: [],
    resolvedParams: [],
    fileVariables: [],
    rebuild: false,
    specText,
    specHash: createHash('sha256').update(specText).digest('hex'),
    baseTexts: [],
    ...values,
  };
}

export function aRunStep(values: Partial<DagRunStep> = {}): DagRunStep {
  const position = values.position ?? 0;
  return {
    scope: '',
    position,
    name: position === 0 ? 'extract' : `step-${position}`,
    status: 'not_started',
    startedAt: null,
    finishedAt: null,
    exitCode: null,
    error: null,
    stdoutFile: '',
    stderrFile: '',
    retryCount: 0,
    doneCount: 0,
    pid: null,
    processStartedAt: null,
    iteration: 0,
    decisions: null,
    build: null,
    modelUse: null,
    ...values,
  };
}
