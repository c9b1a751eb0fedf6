import type { JsonSchema, SchemaBook } from '../json-schema/json-schema';
import { nullable } from '../json-schema/json-schema';
import { AppError } from '@weir/errors';
import type { ResolvedType } from '../shapes/shape';
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

const actions = [
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
] as const;

/** The declaration of an action of the language. */
export type Action = (typeof actions)[number];
export type ActionName = Action['name'];

/** An action that an executor of its own performs. */
export type ExecutableAction = Extract<Action, { readonly execution: 'process' | 'in-process' }>;
export type ExecutableActionName = ExecutableAction['name'];

/** The actions that the run performs with what it knows of itself: other runs, people, routes. */
export type CompositeActionName = Extract<Action, { readonly execution: 'composite' }>['name'];

type SettingsByName = {
  [Each in Action as Each['name']]: ResolvedType<Each['with']>;
};

/** The settings of an action once their references are replaced and their values are checked. */
export type SettingsFor<Name extends ActionName> = SettingsByName[Name];

/** Names that mean the same as another action. */
const aliases: Readonly<Record<string, ActionName>> = { 'container.run': 'docker.run' };

const byName = new Map<string, Action>(actions.map((action) => [action.name, action]));
for (const [alias, name] of Object.entries(aliases)) {
  const action = byName.get(name);
  if (action) byName.set(alias, action);
}

/** The action, also by an alias; `name` of what is found is the one that the canonical form holds. */
export function findAction(name: string): Action | undefined {
  return byName.get(name);
}

/** The declaration of an action whose name is known to be one. */
export function getAction(name: ActionName): Action {
  const action = byName.get(name);
  if (action === undefined) throw new AppError('internal', `There is no action ${name}.`);
  return action;
}

export function isExecutable(action: Action): action is ExecutableAction {
  return action.execution === 'process' || action.execution === 'in-process';
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
