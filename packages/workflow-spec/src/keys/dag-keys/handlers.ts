import type { HandlerKind } from '../../model/dag';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape, type Fields } from '../../shapes/read-object';
import { namedShape } from '../../shapes/shape';
import { rawShape } from '../../shapes/shapes';
import { stepSchema } from '../step-keys/steps-schema';

const scalar = ['string', 'number', 'boolean'];
const withoutDependencies = { properties: { depends: { enum: [null, '', []] }, approval: { type: 'null' } } };
const handler = rawShape((book) => ({ anyOf: [{ type: scalar }, { allOf: [stepSchema(book), withoutDependencies] }] }));

export const handlerKinds = {
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

export type HandlerSources = Fields<typeof handlersKind.keys>;
