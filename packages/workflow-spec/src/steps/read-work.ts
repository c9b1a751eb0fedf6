import type { StepRun } from '../canonical/work';
import type { Part } from '../compact';
import type { Step } from '../canonical/step';
import type { ReadObject } from '../read/read-object';
import type { stepKind } from '../step-keys/step-kind';
import { chooseForm } from '../work/choose-form';
import { readAction } from '../work/read-action';
import { readForeach } from '../work/read-foreach';
import { readShell } from '../work/shell-settings';
import { checkHumanTask } from '../work/human-task';
import { lateRoutes, routeTargets } from '../work/router';
import type { ActionCall, StepFields, StepForm } from '../work/step-form';
import type { YamlValue } from '../yaml/yaml-value';
import type { AuthoredStep, LateParts } from './authored-step';
import type { StepOptions } from './step-options';

export type Work = Part<Omit<Step, 'run'>> &
  Pick<Step, 'run'> & { readonly late: readonly LateParts[] } & Pick<AuthoredStep, 'routes'>;

const nothing: StepRun = { kind: 'commands', commands: [] };

/** What a step does, whichever way it is written. */
export function workOf(
  { fields, unsupported }: ReadObject<typeof stepKind.keys>,
  source: YamlValue,
  options: StepOptions,
): Work {
  const form = chooseForm(fields, unsupported.size > 0, source);
  checkParallel(form, fields, source);
  switch (form.kind) {
    case 'run':
      return { run: form.run ?? nothing, ...readShell(fields, form, source), late: [] };
    case 'action':
      return actionWork(form.call, fields, source, options);
    case 'foreach':
      return { run: readForeach(form.loop, options) ?? nothing, late: [] };
    case 'broken':
      return { run: nothing, late: [] };
  }
}

function actionWork(call: ActionCall, fields: StepFields, source: YamlValue, options: StepOptions): Work {
  const run = readAction(call, source, options);
  const work = { run: run ?? nothing, parallel: fields.parallel?.value, late: [] };
  if (run?.kind !== 'action') return work;
  if (run.action === 'human.task') checkHumanTask(call, fields, source, options);
  if (run.action !== 'router.route') return work;
  // Of a handler, that it has no steps to choose from is said elsewhere.
  if (options.type === 'chain' && options.place !== 'handler') {
    source.context.report.add('invalid_route', call.spot, "router.route needs a DAG of type 'graph'");
    return work;
  }
  return { ...work, late: [lateRoutes(run, call.settings)], routes: routeTargets(call.settings) };
}

function checkParallel(form: StepForm, { parallel }: StepFields, { context }: YamlValue): void {
  if (!parallel || form.kind === 'broken') return;
  if (form.kind === 'action' && ['dag.run', 'dag.enqueue'].includes(form.call.name)) return;
  context.report.add('conflicting_keys', parallel.key, 'parallel currently requires action: dag.run or dag.enqueue');
}
