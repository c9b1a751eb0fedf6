import type { DagSettings, HandlerKind } from '../../model/dag';
import type { Step } from '../../model/step';
import { handlerKinds, type HandlerSources } from '../../keys/dag-keys/handlers';
import { isGiven } from '../../shapes/readers';
import { reportInvalid } from '../../shapes/shapes';
import { getEntries, getKind, type YamlValue } from '../../source/yaml/yaml-value';
import { readAuthoredStep, type AuthoredStep } from './authored-step';
import { toStep } from './resolve-steps';
import { createStepLookup, type StepLookup } from '../scope/step-lookup';
import type { StepOptions } from '../scope/step-options';

/** Step defaults do not apply to handlers: a default precondition could hide a failure. */
export function readHandlers(sources: HandlerSources | undefined, options: StepOptions): DagSettings['handlers'] {
  if (!sources) return undefined;
  const handlerOptions: StepOptions = { ...options, defaults: {}, scope: 'handler' };
  const found: Partial<Record<HandlerKind, Step>> = {};
  for (const kind of Object.keys(handlerKinds) as HandlerKind[]) {
    const source = sources[kind]?.value;
    const step = source && readHandler(source, kind, handlerOptions);
    if (step) found[kind] = step;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

function readHandler(source: YamlValue, kind: HandlerKind, options: StepOptions): Step | undefined {
  if (getKind(source) === 'list') return reportInvalid(source, 'a lifecycle step must be a command or a map');
  const step = readAuthoredStep(source, options);
  if (!step) return undefined;
  reportDepends(step);
  const name = step.name?.value ?? step.id?.value ?? kind;
  return toStep(step, {
    name,
    depends: [],
    lookup: isRouter(step) ? reportRouter(step, name) : createIsolatedLookup(name),
  });
}

/** A handler has no other steps to refer to. */
function createIsolatedLookup(name: string): StepLookup {
  return createStepLookup(name, new Map([[name, name]]), () => false);
}

function reportDepends({ depends }: AuthoredStep): void {
  if (!depends || !isGiven(depends.source)) return;
  const message = 'a lifecycle step cannot depend on other steps';
  depends.source.context.report.add('not_in_handler', depends.keyLocation, message);
}

function isRouter({ parts }: AuthoredStep): boolean {
  return parts.run.kind === 'action' && parts.run.action === 'router.route';
}

/** The routes are not resolved: each would be reported for a missing step. */
function reportRouter({ source }: AuthoredStep, self: string): StepLookup {
  const actionName = getEntries(source).find(({ key }) => key === 'action')?.value ?? source;
  source.context.report.add('not_in_handler', actionName, 'a lifecycle step has no steps to choose from');
  return { self, find: () => undefined, isUpstream: () => false };
}
