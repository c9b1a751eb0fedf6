import type { JsonSchema, SchemaBook } from '../../shapes/json-schema/json-schema';
import { nullable } from '../../shapes/json-schema/json-schema';
import { AppError } from '@weir/foundation';
import type { ResolvedType } from '../../shapes/shape';
import { archiveActions } from './archive-actions';
import { artifactActions } from './artifact-actions';
import { chatActions } from './chat-actions';
import { commandActions } from './command-actions';
import { containerActions } from './container-actions';
import { dagActions } from './dag-actions';
import { dataActions } from './data-actions';
import { fileActions } from './file-actions';
import { gitActions } from './git-actions';
import { harnessActions } from './harness-actions';
import { httpActions } from './http-actions';
import { humanActions } from './human-actions';
import { kubernetesActions } from './kubernetes-actions';
import { messageActions } from './message-actions';
import { redisActions } from './redis-actions';
import { routeActions } from './route-actions';
import { s3Actions } from './s3-actions';
import { sftpActions } from './sftp-actions';
import { sqlActions } from './sql-actions';
import { sshActions } from './ssh-actions';
import { stateActions } from './state-actions';
import { waitActions } from './wait-actions';
import { xlsxActions } from './xlsx-actions';

const actions = [
  ...commandActions,
  ...httpActions,
  ...dagActions,
  ...containerActions,
  ...kubernetesActions,
  ...sshActions,
  ...sftpActions,
  ...messageActions,
  ...dataActions,
  ...fileActions,
  ...artifactActions,
  ...archiveActions,
  ...waitActions,
  ...routeActions,
  ...stateActions,
  ...gitActions,
  ...sqlActions,
  ...redisActions,
  ...s3Actions,
  ...chatActions,
  ...harnessActions,
  ...humanActions,
  ...xlsxActions,
] as const;

export type Action = (typeof actions)[number];
export type ActionName = Action['name'];

/** An action with an executor of its own. */
export type ExecutableAction = Extract<Action, { readonly execution: 'process' | 'in-process' }>;
export type ExecutableActionName = ExecutableAction['name'];

/** Actions that the run itself executes, because they concern other runs, people or routes. */
export type CompositeActionName = Extract<Action, { readonly execution: 'composite' }>['name'];

type SettingsByName = {
  [Each in Action as Each['name']]: ResolvedType<Each['with']>;
};

/** The settings of an action once their references are replaced and their values are checked. */
export type SettingsFor<Name extends ActionName> = SettingsByName[Name];

const aliases: Readonly<Record<string, ActionName>> = {
  'container.run': 'docker.run',
  'k8s.run': 'kubernetes.run',
};

const byName = new Map<string, Action>(actions.map((action) => [action.name, action]));
for (const [alias, name] of Object.entries(aliases)) {
  const action = byName.get(name);
  if (action) byName.set(alias, action);
}

/** Finds an action by its name or an alias. `name` of the result is the canonical name. */
export function findAction(name: string): Action | undefined {
  return byName.get(name);
}

export function getAction(name: ActionName): Action {
  const action = byName.get(name);
  if (action === undefined) throw new AppError('internal', `There is no action ${name}.`);
  return action;
}

export function isExecutable(action: Action): action is ExecutableAction {
  return action.execution === 'process' || action.execution === 'in-process';
}

/** Returns all names that {@link findAction} knows, aliases included. */
export function actionNames(): readonly string[] {
  return [...byName.keys()];
}

/** Returns the rules of the schema of a step that give `with` its settings for each action. */
export function actionsSchema(book: SchemaBook): readonly JsonSchema[] {
  return [...byName].map(([name, action]) => ({
    if: { properties: { action: { description: action.description, const: name } }, required: ['action'] },
    then: {
      properties: { with: { description: `Settings of ${name}`, ...nullable(action.with.schema(book)) } },
      ...(action.needsWith ? { required: ['with'] } : {}),
    },
  }));
}
