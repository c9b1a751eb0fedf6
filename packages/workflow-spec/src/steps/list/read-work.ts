import type { Parallel, StepRun } from '../../model/step';
import type { Part } from '../../model/compact';
import type { Step } from '../../model/step';
import type { ReadObject } from '../../shapes/read-object';
import type { stepKind } from '../../keys/step-keys/step-kind';
import { defaultConcurrent } from '../../keys/loops/items';
import { chooseForm } from '../work/choose-form';
import { readAction } from '../work/read-action';
import { readForeach } from '../work/read-foreach';
import { readShell } from '../form/shell-settings';
import { listModelProblems } from '../../keys/actions/settings/chat-abilities';
import type { JsonObject } from '../../model/json';
import { checkHarnessRun } from '../work/harness-run';
import type { DagHarnesses } from '../../model/harness';
import { checkHumanTask } from '../work/human-task';
import { lateRewind } from './read-approval';
import { lateRoutes, routeTargets } from '../work/router';
import type { ActionCall, StepFields, StepForm } from '../form/step-form';
import type { YamlValue } from '../../source/yaml/yaml-value';
import type { DeferredParts } from '../scope/deferred-parts';
import type { StepOptions } from '../scope/step-options';

export type Work = Part<Omit<Step, 'run'>> &
  Pick<Step, 'run'> & {
    readonly deferred: readonly DeferredParts[];
    /** The values with which a router names the steps it chooses among. */
    readonly routes?: readonly YamlValue[];
  };

const noHarnesses: DagHarnesses = { own: undefined, defaults: undefined };
const noCommands: StepRun = { kind: 'commands', commands: [] };

export function readWork(
  { fields, unsupported }: ReadObject<typeof stepKind.keys>,
  source: YamlValue,
  options: StepOptions,
): Work {
  const form = chooseForm(fields, unsupported.size > 0, source);
  checkParallel(form, fields, source);
  switch (form.kind) {
    case 'run':
      return { run: form.run ?? noCommands, ...readShell(fields, form, source), deferred: [] };
    case 'action':
      return readActionWork(form.call, fields, source, options);
    case 'foreach':
      return { run: readForeach(form.loop, options) ?? noCommands, deferred: [] };
    case 'broken':
      return { run: noCommands, deferred: [] };
  }
}

function readActionWork(call: ActionCall, fields: StepFields, source: YamlValue, options: StepOptions): Work {
  const run = readAction(call, source, options);
  const work = { run: run ?? noCommands, parallel: readParallel(fields, options), deferred: [] };
  if (run?.kind !== 'action') return work;
  if (run.action === 'chat.completion') checkChat(call, { ...options.llm, ...run.with }, source);
  if (run.action === 'harness.run') checkHarnessRun(call, source, options.harnesses ?? noHarnesses);
  if (run.action === 'human.task') {
    checkHumanTask(call, fields, source, options);
    return { ...work, deferred: lateRewind(run, call.settings) };
  }
  if (run.action !== 'router.route') return work;
  // In a handler, missing steps are reported elsewhere.
  if ((options.type === 'chain' || options.type === 'agent') && options.scope !== 'handler') {
    source.context.report.add('invalid_route', call.location, "router.route needs a DAG of type 'graph'");
    return work;
  }
  return { ...work, deferred: [lateRoutes(run, call.settings)], routes: routeTargets(call.settings) };
}

function checkChat(call: ActionCall, settings: JsonObject, { context }: YamlValue): void {
  for (const problem of listModelProblems(settings)) context.report.add('unsupported_value', call.location, problem);
}

function readParallel({ parallel }: StepFields, { defaults }: StepOptions): Parallel | undefined {
  const form = parallel?.value;
  return form && { ...form, maxConcurrent: form.maxConcurrent ?? defaults?.maxConcurrent ?? defaultConcurrent };
}

function checkParallel(form: StepForm, { parallel }: StepFields, { context }: YamlValue): void {
  if (!parallel || form.kind === 'broken') return;
  if (form.kind === 'action' && ['dag.run', 'dag.enqueue'].includes(form.call.name)) return;
  context.report.add(
    'conflicting_keys',
    parallel.keyLocation,
    'parallel currently requires action: dag.run or dag.enqueue',
  );
}
