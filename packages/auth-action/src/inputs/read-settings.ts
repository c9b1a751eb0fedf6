import type { Identity, Settings } from '../settings';
import type { ActionsRuntime } from '../actions-runtime';
import { parseProjectId, parseAccountProject } from './account';
import { checkDirectFederation } from './direct-federation';
import { defaultUniverse, parseUniverse, readEndpoints } from './endpoints';
import { readFileSettings } from './file-settings';
import { readIdentity } from './identity';
import { createInputReader, inputError, type InputReader } from './input-reader';
import { invalidInput } from './parsed-input';
import { readStepSettings } from './step-settings';
import { readToken } from './token';

/**
 * Reads and validates every input; an empty one has its documented default. Masks the secrets of a key.
 * Throws one `AppError` (`invalid_request`) with all problems, so that one run is enough to find them.
 */
export function readSettings(runtime: ActionsRuntime): Settings {
  const reader = createInputReader(runtime);
  const universe = reader.read('universe', parseUniverse);
  const identity = readIdentity(reader, runtime, universe);
  const { token, lifetimeSeconds, delegates, revokesToken: revokes } = readToken(reader);
  const projectId = reader.readOptional('project_id', parseProjectId);
  const endpoints = readEndpoints(reader, universe);
  const file = readFileSettings(reader, lifetimeSeconds);
  const stepSettings = readStepSettings(reader);
  checkDirectFederation(reader, lifetimeSeconds);
  checkSubject(reader, universe);
  if (identity === undefined || token === undefined || reader.problems.length > 0) throw inputError(reader.problems);
  return {
    identity,
    token,
    delegates,
    projectId: projectId ?? findProject(identity),
    universe,
    endpoints,
    file,
    revokesToken: revokes,
    ...stepSettings,
  };
}

/** Only the default universe has domains with users. Google's libraries refuse it as well. */
function checkSubject(reader: InputReader, universe: string): void {
  if (universe === defaultUniverse || reader.text('access_token_subject') === undefined) return;
  const message = `is set, but domain-wide delegation exists in the universe ${defaultUniverse} only, and universe is ${universe}. Remove it.`;
  reader.report('access_token_subject', invalidInput('subject_unsupported', message));
}

/** The project of the given account takes precedence over that of the key. */
function findProject(identity: Identity): string | undefined {
  const { serviceAccount } = identity;
  const named = serviceAccount === undefined ? undefined : parseAccountProject(serviceAccount);
  return named ?? (identity.mode === 'key' ? identity.key.projectId : undefined);
}
