import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import { splitShell } from '@weir/workflow-spec/values';
import type { ActionCall } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { durationMs } from '../../values/text/duration';

type Settings = SettingsFor<'kubernetes.run'>;

/** Names the step of a run for which a job was started, so that it is found again. */
export const stepLabel = 'weir.dev/step';
/** Marks a job whose end was recorded: a further attempt starts another one. */
export const reportedAnnotation = 'weir.dev/reported';
export const containerName = 'main';

const defaultTtlMs = 3_600_000;

/** The same for every execution of one attempt, also after a crash, and for nothing else. */
export function stepKey({ env, stdoutFile }: Pick<ActionCall, 'env' | 'stdoutFile'>): string {
  const { WEIR_RUN_ID: runId = '' } = env;
  return createHash('sha256').update(`${runId}\0${stdoutFile}`).digest('hex').slice(0, 32);
}

/** The job as the API of Kubernetes takes it. */
export function jobManifest(call: ActionCall, settings: Settings): JsonObject {
  const { WEIR_RUN_ID: runId = '', WEIR_DAG_NAME: dagName = '' } = call.env;
  const key = stepKey(call);
  const own = { [stepLabel]: key, 'app.kubernetes.io/managed-by': 'weir' };
  const labels = { ...settings.labels, ...own };
  const annotations = { 'weir.dev/run-id': runId, 'weir.dev/dag': dagName };
  const { active_deadline: deadline } = settings;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `weir-${key.slice(0, 16)}-${randomBytes(4).toString('hex')}`, labels, annotations },
    spec: {
      backoffLimit: settings.backoff_limit ?? 0,
      // Also a net: a server that never comes back leaves nothing behind for ever.
      ttlSecondsAfterFinished: toSeconds(durationMs('ttl_after_finished', settings.ttl_after_finished, defaultTtlMs)),
      ...(deadline === undefined
        ? {}
        : { activeDeadlineSeconds: toSeconds(durationMs('active_deadline', deadline, 0)) }),
      template: { metadata: { labels, annotations }, spec: podSpec(call, settings) },
    },
  };
}

function podSpec(call: ActionCall, settings: Settings): JsonObject {
  const { image_pull_secrets: pullSecrets } = settings;
  return withoutMissing({
    restartPolicy: 'Never',
    serviceAccountName: settings.service_account,
    imagePullSecrets: pullSecrets?.map((name) => ({ name })),
    nodeSelector: settings.node_selector,
    tolerations: settings.tolerations,
    affinity: settings.affinity,
    securityContext: settings.pod_security_context,
    volumes: settings.volumes,
    containers: [container(call, settings)],
  });
}

function container(call: ActionCall, settings: Settings): JsonObject {
  const env = Object.entries({ ...call.stepEnv, ...settings.env });
  return withoutMissing({
    name: containerName,
    image: settings.image,
    command: commandWords(settings.command),
    args: settings.args,
    workingDir: settings.working_dir,
    env: env.length === 0 ? undefined : env.map(([name, value]) => ({ name, value: escapeReference(value) })),
    envFrom: settings.env_from,
    resources: settings.resources,
    imagePullPolicy: settings.image_pull_policy,
    securityContext: settings.security_context,
    volumeMounts: settings.volume_mounts,
  });
}

/** A single string is split into words, several strings are the words themselves. */
function commandWords(command: readonly string[] | undefined): readonly string[] | undefined {
  const [only, ...others] = command ?? [];
  if (only === undefined || others.length > 0) return command;
  return splitShell(only) ?? unclosedQuote();
}

function unclosedQuote(): never {
  throw actionFailed('command has a quote that is not closed.');
}

/** Kubernetes would replace `$(NAME)` in values. */
function escapeReference(value: string): string {
  return value.replaceAll('$(', '$$$$(');
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

function withoutMissing(fields: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
