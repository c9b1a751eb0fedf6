import type { Step } from '../model/step';
import type { DagSettings, HandlerKind } from '../model/dag';
import { keySpec, objectKind } from '../shapes/object-kind';
import { objectShape, type Fields } from '../shapes/read-object';
import { isGiven } from '../shapes/readers';
import { namedShape } from '../shapes/shape';
import { reportInvalid, rawShape } from '../shapes/shapes';
import { readAuthoredStep, type AuthoredStep } from '../steps/authored-step';
import { toStep } from '../steps/resolve-steps';
import { createStepLookup, type StepLookup } from '../steps/step-lookup';
import type { StepOptions } from '../steps/step-options';
import { stepSchema } from '../steps/steps-schema';
import { getEntries, getKind, type YamlValue } from '../yaml/yaml-value';

const scalar = ['string', 'number', 'boolean'];
const withoutDependencies = { properties: { depends: { enum: [null, '', []] }, approval: { type: 'null' } } };
const handler = rawShape((book) => ({ anyOf: [{ type: scalar }, { allOf: [stepSchema(book), withoutDependencies] }] }));

const handlerKinds = {
  init: keySpec('Runs before the steps', handler),
  success: keySpec('Runs after a success or partial success', handler),
  failure: keySpec('Runs after a failure or a rejection', handler),
  abort: keySpec('Runs after a stop', handler, { aliases: ['cancel'] }),
  exit: keySpec('Runs at the end of every run', handler),
  wait: keySpec('Runs when the run starts to wait for a person', handler),
} as const satisfies Record<HandlerKind, unknown>;

const handlersKind = objectKind({ title: 'handler_on', keys: handlerKinds });

/** The handlers as written; they are read once the type of the DAG is known. */
export const handlerSources = namedShape(
  'Handlers',
  objectShape(handlersKind, (fields) => fields),
);

type HandlerSources = Fields<typeof handlersKind.keys>;

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
