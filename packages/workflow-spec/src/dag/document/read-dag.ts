import { assumeType } from './assume-type';
import type { BaseConfig } from './base-config';
import { findAction } from '../../keys/actions/action-catalogue';
import { findArtifactStep } from './uses-artifacts';
import { listSteps } from './list-steps';
import { mergeBaseConfig } from './merge-base-config';
import { compact } from '../../model/compact';
import { readCustomActions } from '../../steps/custom-actions/read-definitions';
import type { Dag, DagSettings, HandlerKind } from '../../model/dag';
import { dagKind } from '../../keys/dag-keys/dag-kind';
import { formatDefaults } from '../../values/params/param-words';
import { readAgent } from './read-agent';
import { readConfig, type DagFields } from './read-config';
import { readObject } from '../../shapes/read-object';
import { readStepList } from '../../steps/list/read-step-list';
import type { StepOptions } from '../../steps/scope/step-options';
import { quote } from '../../source/text/quote';
import { findWorkspace } from '../../keys/dag-keys/labels';
import { isFileTrigger } from '../../model/trigger';
import { isObjectGlob } from '../../source/text/object-glob';
import { listStoreProblems } from '../../values/triggers/trigger-store';
import { getItems, report, type YamlValue } from '../../source/yaml/yaml-value';

export interface ReadDagOptions {
  readonly base: BaseConfig;
  /** Receives the name given in the document. */
  readonly chooseName: (own: DagFields['name']) => string;
}

export function readDag(value: YamlValue, { base, chooseName }: ReadDagOptions): Dag {
  const fields = readObject(value, dagKind)?.fields;
  if (!fields) return emptyDag(chooseName(undefined));
  const customActions = readCustomActions(fields, base.customActions ?? []);
  const own = readConfig(fields, value, { customActions, base });
  const config = mergeBaseConfig(base, own);
  const settings = { ...emptySettings, ...config.settings };
  // When the type is unreadable, the order is not checked.
  const type = fields.type ? (own.type ?? 'graph') : (config.type ?? assumeType(fields, value));
  const isDispatched = settings.workerSelector !== undefined && settings.workerSelector !== 'local';
  const dag: Dag = {
    name: chooseName(fields.name),
    type,
    ...compact({ workspace: findWorkspace(settings.labels), defaultParams: formatDefaults(settings.params) }),
    ...settings,
    ...compact({ inheritedHandlers: inheritedHandlers(base, own), actionLocks: fields.action_lock?.value }),
    steps: readAllSteps(fields, value, {
      type,
      ...(type === 'agent' ? { scope: 'agent' } : {}),
      isDispatched,
      isInContainer: settings.container !== undefined,
      ...compact({ actionLocks: fields.action_lock?.value }),
      harnesses: { own: settings.harnesses, defaults: settings.harness },
      llm: settings.llm,
      customActions,
      readStepList,
      ...compact({ defaults: config.defaults }),
    }),
  };
  checkArtifacts(dag, fields.artifacts?.source ?? value);
  checkBuildContainer(dag, fields.container?.source ?? value);
  checkTriggers(dag, fields.triggers?.source ?? value);
  if (fields.ssh) checkSsh(dag, fields.ssh.source);
  return dag;
}

/** Files of 1.x may mean by `ssh` that every step runs on that host. */
function checkSsh(dag: Dag, source: YamlValue): void {
  const isUsed = listSteps(dag).some(
    ({ run }) => run.kind === 'action' && findAction(run.action)?.dagDefaults === 'ssh',
  );
  if (isUsed) return;
  const message = 'no step uses ssh: only ssh.run and sftp.* do, and other steps execute on the host of the server';
  report(source, 'setting_without_effect', message);
}

function checkTriggers(dag: Dag, source: YamlValue): void {
  const triggers = dag.triggers ?? [];
  const items = getItems(source);
  triggers.forEach((trigger, index) => {
    if (!isFileTrigger(trigger) || !isObjectGlob(trigger.files)) return;
    const item = items.length === triggers.length ? items[index] : undefined;
    for (const { code, message } of listStoreProblems(dag, trigger)) report(item ?? source, code, message);
  });
}

function checkArtifacts(dag: Dag, source: YamlValue): void {
  const step = dag.artifacts?.enabled === false ? findArtifactStep(dag) : undefined;
  if (step === undefined) return;
  report(source, 'artifacts_off', `the step ${quote(step.name)} needs artifacts, which the DAG switches off`);
}

function checkBuildContainer(dag: Dag, source: YamlValue): void {
  const step = dag.container && dag.steps.find(({ inputs, targets }) => inputs !== undefined || targets !== undefined);
  if (step === undefined) return;
  report(source, 'invalid_value', `the step ${quote(step.name)} in a container cannot have the files of a build`);
}

/** Creates the DAG of a spec that contains none. */
export function emptyDag(name: string): Dag {
  return { name, type: 'graph', ...emptySettings, steps: [] };
}

const emptySettings: DagSettings = { labels: [], params: [], env: [], schedule: [], maxActiveSteps: 0 };

function inheritedHandlers(base: BaseConfig, own: BaseConfig): readonly HandlerKind[] | undefined {
  // Object.keys returns string[]; these keys are handler kinds.
  const kinds = Object.keys(base.settings.handlers ?? {}) as HandlerKind[];
  const inherited = kinds.filter((kind) => own.settings.handlers?.[kind] === undefined);
  return inherited.length === 0 ? undefined : inherited;
}

function readAllSteps(fields: DagFields, value: YamlValue, options: StepOptions): Dag['steps'] {
  const { steps, tasks } = fields;
  if (tasks && options.type !== 'agent') {
    value.context.report.add('conflicting_keys', tasks.keyLocation, "tasks needs a DAG of type 'agent'");
  }
  if (!steps) report(value, 'missing_key', 'steps must be given: a list or a map with at least one step');
  const found = steps?.value ? readStepList(steps.value, options) : [];
  return options.type === 'agent' ? [readAgent(found, fields, value, options)] : found;
}
