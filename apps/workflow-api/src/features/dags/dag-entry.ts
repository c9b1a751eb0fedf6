import { calledDags, formatFinding, type Dag, type DagCall, type ParseResult, type Secret } from '@weir/workflow-spec';
import { isSpecTooCostly, unknownWorkspace, type SpecReader } from '../../dag-parser';
import type { DagFile } from './dag-file-store';
import type { FileMark } from './read-dag-file';

const schedulingKeys = [
  'stopSchedule',
  'restartSchedule',
  'triggers',
  'skipIfSuccessful',
  'catchupWindowSec',
  'overlapPolicy',
  'restartWaitSec',
] as const satisfies readonly (keyof Dag)[];

/** The parts of a DAG that the list and the scheduler need; steps are left out to save memory for thousands of files. */
export type ListedDag = Pick<
  Dag,
  | 'name'
  | 'description'
  | 'group'
  | 'labels'
  | 'workspace'
  | 'schedule'
  | 'defaultParams'
  | 'params'
  | (typeof schedulingKeys)[number]
>;

/** A variable that has the value of a stored secret. */
export interface SecretUse {
  readonly variable: string;
  /** Without version, the newest value. */
  readonly ref: string;
  readonly version?: number;
}

export interface DagEntry {
  readonly fileName: string;
  readonly filePath: string;
  readonly mark: FileMark;
  readonly dag: ListedDag;
  /** DAGs of other files that its spec names. */
  readonly calls: readonly DagCall[];
  /** The stored secrets that the DAGs of the file take. */
  readonly secrets: readonly SecretUse[];
  /** The errors of the file as texts for people. */
  readonly errors: readonly string[];
  /** The key for sorting and searching. */
  readonly sortKey: string;
}

const none = { labels: [], schedule: [], params: [] } as const;

export async function dagEntry(file: DagFile, specs: SpecReader): Promise<DagEntry> {
  if (file.kind === 'unreadable') return brokenEntry(file, file.problem);
  try {
    return readEntry(file, await specs.parse(file.text, { name: file.fileName }));
  } catch (error) {
    if (!isSpecTooCostly(error)) throw error;
    return brokenEntry(file, error.message);
  }
}

/** Creates the entry of a file that could not be read. */
export function brokenEntry(
  { fileName, filePath, mark }: Pick<DagEntry, 'fileName' | 'filePath' | 'mark'>,
  problem: string,
): DagEntry {
  return withKey({
    fileName,
    filePath,
    mark,
    dag: { name: fileName, workspace: unknownWorkspace, ...none },
    calls: [],
    secrets: [],
    errors: [problem],
  });
}

function readEntry({ fileName, filePath, mark }: DagFile, { dag, localDags, findings }: ParseResult): DagEntry {
  const { name, labels, schedule, params } = dag;
  const listed: ListedDag = {
    name,
    labels,
    schedule,
    params,
    ...(dag.description === undefined ? {} : { description: dag.description }),
    ...(dag.group === undefined ? {} : { group: dag.group }),
    ...(dag.workspace === undefined ? {} : { workspace: dag.workspace }),
    ...(dag.defaultParams === undefined ? {} : { defaultParams: dag.defaultParams }),
    ...Object.fromEntries(schedulingKeys.flatMap((key) => (dag[key] === undefined ? [] : [[key, dag[key]]]))),
  };
  const errors = findings.filter(({ severity }) => severity === 'error').map(formatFinding);
  const secrets = [dag, ...localDags].flatMap((each) => (each.secrets ?? []).flatMap(toSecretUse));
  return withKey({ fileName, filePath, mark, dag: listed, calls: calledDags(dag, localDags), secrets, errors });
}

function toSecretUse(secret: Secret): readonly SecretUse[] {
  if (secret.kind !== 'ref') return [];
  const [ref = '', version] = secret.ref.split('@');
  return [{ variable: secret.name, ref, ...(version === undefined ? {} : { version: Number(version) }) }];
}

/** Compares by DAG name without regard to case; ties by file name. */
export function compareEntries(left: DagEntry, right: DagEntry): number {
  return compareTexts(left.sortKey, right.sortKey) || compareTexts(left.fileName, right.fileName);
}

export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function withKey(entry: Omit<DagEntry, 'sortKey'>): DagEntry {
  return { ...entry, sortKey: entry.dag.name.toLowerCase() };
}
