import type { ChangedValue, DagRunDiffResponse } from '@weir/workflow-contract/schemas';
import { nodeStatus, runStatus, type DagRun, type DagRunStep } from '@weir/workflow-engine/model';
import { rfc3339 } from '../runs';
import { unifiedDiff } from '../dag-revisions';

export interface RunSide {
  readonly run: DagRun;
  /** The steps of the DAG without those of its handlers. */
  readonly steps: readonly DagRunStep[];
  readonly environment: readonly Omit<DagRunDiffResponse['environment'][number], 'change'>[];
  /** The values of outputs by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

const maxValueLength = 16_384;

/** Describes how a run differs from an older one. */
export function compareRuns(from: RunSide, to: RunSide): DagRunDiffResponse {
  const label = ({ run }: RunSide) => ({ label: run.dagRunId, text: run.specText });
  const { diff, isMinimal } = unifiedDiff(`${to.run.dagName}.yaml`, label(from), label(to));
  return {
    from: presentRun(from.run),
    to: presentRun(to.run),
    spec: {
      isEqual: from.run.specText === to.run.specText,
      diff,
      minimal: isMinimal,
      isBaseEqual: JSON.stringify(from.run.baseTexts) === JSON.stringify(to.run.baseTexts),
    },
    parameters: compareValues(paramsOf(from.run), paramsOf(to.run)),
    environment: compareEnvironments(from.environment, to.environment),
    steps: compareSteps(from.steps, to.steps),
    outputs: compareValues(new Map(Object.entries(from.outputs)), new Map(Object.entries(to.outputs))),
  };
}

function presentRun({ dagName, dagRunId, status, startedAt, finishedAt }: DagRun): DagRunDiffResponse['from'] {
  return {
    name: dagName,
    dagRunId,
    status: runStatus.toNumber(status),
    statusLabel: status,
    startedAt: startedAt === null ? '' : rfc3339(startedAt),
    finishedAt: finishedAt === null ? '' : rfc3339(finishedAt),
    ...presentDuration({ startedAt, finishedAt }),
  };
}

function presentDuration({ startedAt, finishedAt }: Pick<DagRun, 'startedAt' | 'finishedAt'>) {
  return startedAt === null || finishedAt === null ? {} : { durationMs: finishedAt.getTime() - startedAt.getTime() };
}

function paramsOf({ resolvedParams }: DagRun): ReadonlyMap<string, string> {
  return new Map(resolvedParams.map(({ name, value }) => [name, value]));
}

function compareValues(from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>): ChangedValue[] {
  return [...new Set([...from.keys(), ...to.keys()])].toSorted().map((name) => {
    const [older, newer] = [from.get(name), to.get(name)];
    return {
      name,
      change: changeOf(older, newer, (left, right) => left === right),
      ...(older === undefined ? {} : { from: older.slice(0, maxValueLength) }),
      ...(newer === undefined ? {} : { to: newer.slice(0, maxValueLength) }),
      isCut: Math.max(older?.length ?? 0, newer?.length ?? 0) > maxValueLength,
    };
  });
}

function compareEnvironments(from: RunSide['environment'], to: RunSide['environment']) {
  const toEntries = (side: RunSide['environment']) =>
    new Map(side.map((entry) => [JSON.stringify([entry.name, entry.source, entry.step]), entry]));
  const [older, newer] = [toEntries(from), toEntries(to)];
  return [...new Map([...older, ...newer])].map(([key, { name, source, step }]) => ({
    name,
    source,
    ...(step === undefined ? {} : { step }),
    change: older.has(key) ? (newer.has(key) ? ('equal' as const) : ('removed' as const)) : ('added' as const),
  }));
}

function compareSteps(from: readonly DagRunStep[], to: readonly DagRunStep[]): DagRunDiffResponse['steps'] {
  const [older, newer] = [from, to].map((steps) => new Map(steps.map((step) => [step.name, step])));
  return [...new Set([...to, ...from].map(({ name }) => name))].map((name) => {
    const [left, right] = [older?.get(name), newer?.get(name)];
    return {
      name,
      change: changeOf(left, right, (one, other) => one.status === other.status),
      ...(left === undefined ? {} : { from: presentStep(left) }),
      ...(right === undefined ? {} : { to: presentStep(right) }),
    };
  });
}

function presentStep(step: DagRunStep) {
  return { status: nodeStatus.toNumber(step.status), statusLabel: step.status, ...presentDuration(step) };
}

function changeOf<T>(from: T | undefined, to: T | undefined, isEqual: (from: T, to: T) => boolean) {
  if (from === undefined) return 'added';
  if (to === undefined) return 'removed';
  return isEqual(from, to) ? 'equal' : 'changed';
}
