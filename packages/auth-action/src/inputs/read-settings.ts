import type { ActionSettings, Identity, Settings } from './settings';
import type { ActionsRuntime } from '../runner/actions-runtime';
import { parseProjectId, parseAccountProject } from './account';
import type { readOtherInputs } from './other-clouds';
import { checkDirectFederation, isDirectFederation } from './direct-federation';
import { readEndpoints } from './endpoints';
import { readFileSettings } from './file-settings';
import { readIdentity } from './identity';
import { createInputReader, inputError, type InputReader, type ValueReader } from './input-reader';
import { parseList } from './list';
import { invalidInput } from './parsed-input';
import { parseRegistry } from './registry';
import { readStepSettings, type StepSettings } from './step-settings';
import { readToken, withoutAccount } from './token';
import { defaultUniverse } from './universe';

const packageInputs = ['npm_registries', 'python_registries', 'maven_registries'];

/** Whether {@link readSettings} needs the reader of the inputs that few jobs have. */
export function needsOtherInputs({ input, inputDefaults }: Pick<ActionsRuntime, 'input' | 'inputDefaults'>): boolean {
  return Object.entries(inputDefaults).some(
    ([name, fallback]) =>
      (/^a(?:ws|zure)_/.test(name) || packageInputs.includes(name)) && ![undefined, '', fallback].includes(input(name)),
  );
}

/**
 * Reads and validates every input; an empty one has its documented default. Masks the secrets of a key.
 * Throws one `AppError` (`invalid_request`) with all problems, so that one run is enough to find them.
 */
export function readSettings(runtime: ActionsRuntime, readOthers?: typeof readOtherInputs): ActionSettings {
  const reader = createInputReader(runtime);
  const isGoogle = ['workload_identity_provider', 'credentials_json', ...packageInputs].some(
    (name) => reader.text(name) !== undefined,
  );
  const google = isGoogle || readOthers === undefined ? readGoogle(reader, runtime) : undefined;
  const others = readOthers?.(reader, runtime, google?.universe ?? defaultUniverse);
  const step = readStepSettings(reader, (secret) => runtime.mask(secret));
  if (reader.problems.length > 0) throw inputError(reader.problems);
  const endpoints = google?.endpoints ?? readEndpoints(reader, defaultUniverse);
  const clouds = { aws: others?.aws, azure: others?.azure };
  return { google: google && { ...google, ...step, packages: others?.packages }, clouds, endpoints, step };
}

/** `undefined` if an input is invalid, which was reported to the reader. */
function readGoogle(
  reader: InputReader,
  runtime: ActionsRuntime,
): Omit<Settings, keyof StepSettings | 'packages'> | undefined {
  const { identity, universe } = readIdentity(reader, runtime);
  const isDirect = isDirectFederation(reader);
  const { token, delegates, revokesToken: revokes } = readToken(reader, isDirect);
  const projectId = reader.readOptional('project_id', parseProjectId);
  const endpoints = readEndpoints(reader, universe);
  const file = readFileSettings(reader, findLifetimeReader(reader, isDirect));
  const registries = reader.readOptional('docker_registries', (text) => parseList(text, parseRegistry)) ?? [];
  checkDirectFederation(reader);
  checkSubject(reader, universe);
  if (identity === undefined || token === undefined) return undefined;
  return {
    identity,
    token,
    delegates,
    projectId: projectId ?? findProject(reader, identity),
    universe,
    endpoints,
    file,
    registries,
    revokesToken: revokes,
    ignoredInputs: reader.ignored,
    doubtfulInputs: reader.doubtful,
  };
}

/** The file of direct federation and that of a key contain no lifetime. */
function findLifetimeReader(reader: InputReader, isDirect: boolean): ValueReader {
  if (isDirect) return reader.ignore(withoutAccount);
  const isKey = reader.text('credentials_json') !== undefined;
  return isKey ? reader.ignore('it applies only to workload_identity_provider') : reader;
}

/** Only the default universe has domains with users. Google's libraries refuse it as well. */
function checkSubject(reader: InputReader, universe: string): void {
  if (universe === defaultUniverse || reader.text('access_token_subject') === undefined) return;
  const message = `is set, but domain-wide delegation exists in the universe ${defaultUniverse} only, and universe is ${universe}. Remove it.`;
  reader.report('access_token_subject', invalidInput('subject_unsupported', message));
}

/** The project of the given account, otherwise of the key, otherwise of the account of the key. */
function findProject(reader: InputReader, identity: Identity): string | undefined {
  const { serviceAccount } = identity;
  const named = serviceAccount === undefined ? undefined : parseAccountProject(serviceAccount);
  if (identity.mode === 'federation') return named;
  const given = reader.text('service_account') === undefined ? undefined : named;
  return given ?? identity.key.projectId ?? named;
}
