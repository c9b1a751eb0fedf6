import type { JsonSchema, SchemaBook } from '../json-schema/json-schema';
import { nullable } from '../json-schema/json-schema';
import type { ActionSpec } from './define-action';
import { artifactActions } from './artifact-actions';
import { chatActions } from './chat-actions';
import { commandActions } from './command-actions';
import { containerActions } from './container-actions';
import { dagActions } from './dag-actions';
import { dataActions } from './data-actions';
import { fileActions } from './file-actions';
import { gitActions } from './git-actions';
import { httpActions } from './http-actions';
import { humanActions } from './human-actions';
import { messageActions } from './message-actions';
import { routeActions } from './route-actions';
import { sqlActions } from './sql-actions';
import { sshActions } from './ssh-actions';
import { stateActions } from './state-actions';
import { waitActions } from './wait-actions';

export type { ActionSpec } from './define-action';

const all: readonly ActionSpec[] = [
  ...commandActions,
  ...httpActions,
  ...dagActions,
  ...containerActions,
  ...sshActions,
  ...messageActions,
  ...dataActions,
  ...fileActions,
  ...artifactActions,
  ...waitActions,
  ...routeActions,
  ...stateActions,
  ...gitActions,
  ...sqlActions,
  ...chatActions,
  ...humanActions,
];

/** Names that mean the same as another action. */
const aliases: Readonly<Record<string, string>> = { 'container.run': 'docker.run' };

const byName = new Map(all.map((action) => [action.name, action]));
for (const [alias, name] of Object.entries(aliases)) {
  const action = byName.get(name);
  if (action) byName.set(alias, action);
}

/** The action, also by an alias; `name` of what is found is the one that the canonical form holds. */
export function findAction(name: string): ActionSpec | undefined {
  return byName.get(name);
}

/** Every name that {@link findAction} knows. */
export function actionNames(): readonly string[] {
  return [...byName.keys()];
}

/** For the schema of a step: with each action, what its `with` may hold. */
export function actionsSchema(book: SchemaBook): readonly JsonSchema[] {
  return [...byName].map(([name, action]) => ({
    if: { properties: { action: { description: action.description, const: name } }, required: ['action'] },
    then: {
      properties: { with: { description: `Settings of ${name}`, ...nullable(action.with.schema(book)) } },
      ...(action.needsWith ? { required: ['with'] } : {}),
    },
  }));
}
