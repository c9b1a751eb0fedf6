import {
  buildDecisions,
  nodeStatus,
  runStatus,
  type DagRun,
  type DagRunStep,
  type DagRunSummary,
  type RunSource,
  type StepOutputs,
} from '@weir/workflow-engine/model';
import type { JsonValue } from '@weir/workflow-spec';
import { z } from 'zod';
import { Decisions, ModelUses } from '../runs/store/dag-run-rows';

/**
 * The calls of a worker that has no database. A worker sends each as `POST /api/v1/worker/calls/NAME`, with its token as
 * a bearer token and, after `hello`, its id in {@link workerIdHeader}. What a worker says is read strictly; of what a
 * server says, only times and maps have to be read, because a worker trusts its server.
 */
export const protocolVersion = 1;
export const workerIdHeader = 'weir-worker-id';

/** The files that a worker sends in one piece, and gets in one, at most. */
export const maxPieceBytes = 4 * 1024 * 1024;

const Id = z.string().min(1).max(512);
const Name = z.string().max(4_096);
const Time = z.iso.datetime().transform((text) => new Date(text));
const Count = z.number().int().min(0);
const Json = z.json() as z.ZodType<JsonValue>;
const Token = Count;
const Scope = z.string().max(4_096);
const Text = z.string();

const Lease = z.strictObject({ runId: Id, token: Token });

const StepKey = { position: Count, scope: Scope };
const RunStatusName = z.enum(runStatus.all);

const NamedOutput = z.strictObject({ name: Name, value: Json });
const Outputs = z.strictObject({
  variable: z.strictObject({ name: Name, value: Text }).exactOptional(),
  fields: z.array(NamedOutput),
  declared: z.array(NamedOutput),
});

type StepFields = Omit<DagRunStep, 'scope' | 'position' | 'name' | 'stdoutFile' | 'stderrFile'>;

/** A field that a step gets does not compile without its schema here. */
const stepFields: { readonly [Field in keyof StepFields]: z.ZodType<StepFields[Field]> } = {
  iteration: Count,
  decisions: Decisions.nullable(),
  status: z.enum(nodeStatus.all),
  startedAt: Time.nullable(),
  finishedAt: Time.nullable(),
  exitCode: z.number().int().nullable(),
  error: Text.nullable(),
  pid: Count.nullable(),
  processStartedAt: Text.nullable(),
  retryCount: Count,
  doneCount: Count,
  build: z.enum(buildDecisions).nullable(),
  modelUse: ModelUses.nullable(),
};

const StepPatch = z.strictObject({
  position: Count,
  scope: Scope.exactOptional(),
  ...eachOptional(stepFields),
  outputs: Outputs.nullable().exactOptional(),
  memo: Json.nullable().exactOptional(),
});

function eachOptional<Fields extends Readonly<Record<string, z.ZodType>>>(fields: Fields) {
  const optional = Object.entries(fields).map(([name, field]) => [name, field.exactOptional()]);
  return Object.fromEntries(optional) as { readonly [Field in keyof Fields]: z.ZodExactOptional<Fields[Field]> };
}

/** The files are where the server has them. */
const NewStep = z.strictObject({ ...StepKey, name: Name, stdoutFile: Name, stderrFile: Name, ...stepFields });

const Param = z.strictObject({ name: Name, value: Text, undeclared: z.literal(true).exactOptional() });
const patches = z.array(StepPatch);

/** What the owner of a run says about it; the lease is that of the call. */
const OwnEvent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('released') }),
  z.strictObject({ kind: z.literal('steps_changed'), patches }),
  z.strictObject({ kind: z.literal('steps_added'), steps: z.array(NewStep) }),
  z.strictObject({
    kind: z.literal('params_resolved'),
    params: z.array(Param),
    fileVariables: z.array(Name).optional(),
  }),
  z.strictObject({
    kind: z.literal('ended'),
    patches,
    status: z.enum(runStatus.all.filter((status) => runStatus.isTerminal(status))),
    finishedAt: Time.nullable(),
    error: Text.nullable(),
    retryAt: Time.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('suspended'), patches, waitingSteps: Count.optional() }),
]);

const Keyspace = z.strictObject({ scope: Name, namespace: Name });
const StateChange = { lease: Lease, keyspace: Keyspace, key: Name, expectedVersion: Count.optional() };

const trusted = <T>() => z.custom<T>(() => true);
const list = <Item extends z.ZodType>(item: Item) => z.array(item);
const nullable = <Item extends z.ZodType>(item: Item) => item.nullable().transform((value) => value ?? undefined);
const mapOf = <Value>() =>
  z.array(z.tuple([z.number(), trusted<Value>()])).transform((entries): ReadonlyMap<number, Value> => new Map(entries));

const runTimes = {
  queuedAt: Time.nullable(),
  startedAt: Time.nullable(),
  finishedAt: Time.nullable(),
  createdAt: Time,
  scheduleTime: Time.nullable(),
  stopRequestedAt: Time.nullable(),
  retryAt: Time.nullable(),
};
const Summary = z.looseObject(runTimes).transform((run) => run as unknown as DagRunSummary);
const Run = z.looseObject(runTimes).transform((run) => run as unknown as DagRun);
const Step = z
  .looseObject({ startedAt: Time.nullable(), finishedAt: Time.nullable() })
  .transform((step) => step as unknown as DagRunStep);
const StateEntry = z.object({ key: z.string(), version: z.number(), updatedAt: Time });
const StateValue = z.object({ ...StateEntry.shape, value: Json });
const Claim = z.object({
  runId: z.string(),
  token: z.number(),
  givenUp: z.object({ reason: z.enum(['not_executed', 'worker_lost']), failures: z.number() }).exactOptional(),
});

/** A worker as it describes itself. */
const Self = z.strictObject({
  host: z.string().max(256),
  pid: Count,
  startedAt: Time,
  maxRuns: Count.max(1_000),
  version: z.string().max(64),
  claims: z.boolean(),
});

/** A DAG that a step calls: one of the folder of DAGs, or one of the text of the calling run. */
const CalledDag = z.union([z.strictObject({ name: Name }), z.strictObject({ local: Name })]);

const nothing = z.null();

export const calls = {
  hello: {
    request: z.strictObject({
      protocol: z.number(),
      self: Self,
      labels: z.record(z.string().max(128), z.string().max(256)),
    }),
    answer: z.object({
      workerId: z.string(),
      tokenName: z.string(),
      labels: z.record(z.string(), z.string()),
      isShared: z.boolean(),
      files: z.enum(['folder', 'objects']),
      folders: z.object({ logs: z.string(), data: z.string() }),
    }),
  },
  beat: { request: Self, answer: nothing },
  leave: { request: nothing, answer: nothing },
  listAlive: { request: nothing, answer: list(z.string()) },

  claim: { request: z.strictObject({ from: z.enum(['queue', 'expired']) }), answer: nullable(Claim) },
  listClaims: { request: nothing, answer: list(Claim) },
  failClaim: { request: z.strictObject({ lease: Lease, retryAt: Time }), answer: z.boolean() },
  /** Answers once runs have become claimable since the mark, and after some seconds without any. */
  awaitWork: { request: z.strictObject({ seen: z.string().max(64) }), answer: z.string() },
  listStopRequested: { request: nothing, answer: list(z.string()) },

  find: { request: z.strictObject({ dagName: Name, dagRunId: Name }), answer: nullable(Run) },
  findById: { request: z.strictObject({ id: Id }), answer: nullable(Run) },
  listSteps: { request: z.strictObject({ id: Id, scope: Scope }), answer: list(Step) },
  listAllSteps: { request: z.strictObject({ id: Id }), answer: list(Step) },
  readOutputs: { request: z.strictObject({ id: Id, scope: Scope }), answer: mapOf<StepOutputs>() },
  readMemos: { request: z.strictObject({ id: Id, scope: Scope }), answer: mapOf<JsonValue>() },
  listChildren: { request: z.strictObject({ id: Id, node: Name.optional() }), answer: list(Summary) },
  commit: { request: z.strictObject({ lease: Lease, event: OwnEvent }), answer: z.boolean() },
  childEnded: { request: z.strictObject({ id: Id, step: z.strictObject(StepKey) }), answer: z.boolean() },

  findDag: { request: z.strictObject({ name: Name }), answer: trusted<Pick<RunSource, 'dag' | 'fileName'>>() },
  startChild: {
    request: z.strictObject({
      dag: CalledDag,
      /** The run whose step starts it. */
      caller: z.strictObject({ dagName: Name, dagRunId: Name }),
      /** The step that waits for it; missing where none does. */
      node: z
        .string()
        .regex(/(^|\/)\d+$/)
        .max(4_096)
        .optional(),
      attempt: Count.optional(),
      params: Text,
      dagRunId: Name,
      queueName: Name.optional(),
      workerSelector: Name.optional(),
      isOwned: z.boolean(),
    }),
    answer: Run,
  },
  retryChild: { request: z.strictObject({ id: Id, isOwned: z.boolean() }), answer: nothing },
  awaitRun: { request: z.strictObject({ id: Id, statuses: z.array(RunStatusName) }), answer: nullable(Run) },
  stopRun: { request: z.strictObject({ id: Id }), answer: nothing },

  getState: { request: z.strictObject({ keyspace: Keyspace, key: Name }), answer: nullable(StateValue) },
  setState: {
    request: z.strictObject({ ...StateChange, value: Json }),
    answer: z.union([
      z.object({ kind: z.literal('stored'), version: z.number(), isNew: z.boolean() }),
      z.object({ kind: z.literal('full') }),
      z.object({ kind: z.literal('conflict'), version: z.number() }),
      z.object({ kind: z.literal('lost') }),
    ]),
  },
  deleteState: {
    request: z.strictObject(StateChange),
    answer: z.union([
      z.object({ kind: z.enum(['deleted', 'missing', 'lost']) }),
      z.object({ kind: z.literal('conflict'), version: z.number() }),
    ]),
  },
  listState: {
    request: z.strictObject({ keyspace: Keyspace, prefix: Name, limit: Count.max(10_000) }),
    answer: list(StateEntry),
  },
  readStateValues: {
    request: z.strictObject({ keyspace: Keyspace, keys: z.array(Name).max(10_000) }),
    answer: list(StateValue),
  },

  readStoredSecret: {
    request: z.strictObject({ ref: Name, workspace: Name.optional() }),
    answer: z.union([z.object({ value: z.string() }), z.object({ problem: z.string() })]),
  },
  readProfileSecret: {
    request: z.strictObject({ profileId: Id, key: Name }),
    answer: z.union([z.object({ value: z.string() }), z.object({ problem: z.string() })]),
  },

  listFiles: {
    request: z.strictObject({ lease: Lease, folder: z.enum(['logs', 'artifacts']) }),
    answer: list(z.object({ path: z.string(), size: z.number() })),
  },
  removeFile: {
    request: z.strictObject({ lease: Lease, folder: z.enum(['logs', 'artifacts']), path: Name }),
    answer: nothing,
  },
  listObjects: {
    request: z.strictObject({ lease: Lease, folder: z.enum(['logs', 'artifacts']), key: Name }),
    answer: list(z.object({ key: z.string(), etag: z.string() })),
  },
  removeObjects: {
    request: z.strictObject({ lease: Lease, folder: z.enum(['logs', 'artifacts']), keys: z.array(Name).max(100_000) }),
    answer: nothing,
  },
} as const;

export type CallName = keyof typeof calls;
export type RequestOf<Name extends CallName> = z.output<(typeof calls)[Name]['request']>;
export type AnswerOf<Name extends CallName> = z.output<(typeof calls)[Name]['answer']>;
export type RemoteEvent = z.output<typeof OwnEvent>;

const FolderOfRun = { run: Id, token: z.coerce.number().int().min(0), folder: z.enum(['logs', 'artifacts']) };

/** The addresses of the calls with bytes: a file of a run, from a byte on, and an object of a bucket. */
export const FileAddress = z.strictObject({ ...FolderOfRun, path: Name.min(1), from: z.coerce.number().int().min(0) });
export const ObjectAddress = z.strictObject({
  ...FolderOfRun,
  key: Name,
  to: z.coerce.number().int().min(0).optional(),
  from: z.coerce.number().int().min(0).optional(),
});
