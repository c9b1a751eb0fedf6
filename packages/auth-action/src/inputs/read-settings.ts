import type { Identity, Settings } from '../settings';
import type { ActionsRuntime } from '../actions-runtime';
import { parseAccount, parseProjectId, parseAccountProject } from './account';
import { checkDirectFederation } from './direct-federation';
import { parseDuration } from './duration';
import { defaultUniverse, parseUniverse, readEndpoints } from './endpoints';
import { readIdentity } from './identity';
import type { InputName } from './input-names';
import { createInputReader, inputError, type InputReader } from './input-reader';
import { invalidInput } from './parsed-input';
import { parseBoolean, parseFileMode } from './switches';
import { parseRequestReason } from './texts';
import { readToken } from './token';

const defaultFileMode = 0o600;
const defaultTimeoutSeconds = 60;
const timeoutRange = { minSeconds: 1, maxSeconds: 600, maxText: '10m' };

/**
 * Reads and validates every input; an empty one has its documented default. Masks the secrets of a key.
 * Throws one `AppError` (`invalid_request`) with all problems, so that one run is enough to find them.
 */
export function readSettings(runtime: ActionsRuntime): Settings {
  const reader = createInputReader(runtime);
  const universe = reader.read('universe', parseUniverse) ?? defaultUniverse;
  const identity = readIdentity(reader, runtime, universe);
  const { token, lifetimeSeconds, delegates, revokesToken: revokes } = readToken(reader);
  const projectId = reader.read('project_id', parseProjectId);
  const otherSettings = readOtherSettings(reader, universe);
  const file = readFile(reader, lifetimeSeconds);
  checkDirectFederation(reader, lifetimeSeconds);
  checkSubject(reader, universe);
  if (identity === undefined || token === undefined || reader.problems.length > 0) throw inputError(reader.problems);
  return {
    identity,
    token,
    delegates,
    projectId: projectId ?? findProject(identity),
    universe,
    file,
    revokesToken: revokes,
    ...otherSettings,
  };
}

/** Only the default universe has domains with users. Google's libraries refuse it as well. */
function checkSubject(reader: InputReader, universe: string): void {
  if (universe === defaultUniverse || reader.text('access_token_subject') === undefined) return;
  const message = `is set, but domain-wide delegation exists in the universe ${defaultUniverse} only, and universe is ${universe}. Remove it.`;
  reader.report('access_token_subject', invalidInput('subject_unsupported', message));
}

type OtherSettings = Omit<
  Settings,
  'identity' | 'token' | 'delegates' | 'projectId' | 'universe' | 'file' | 'revokesToken'
>;

function readOtherSettings(reader: InputReader, universe: string): OtherSettings {
  return {
    endpoints: readEndpoints(reader, universe),
    exportsVariables: readSwitch(reader, 'export_environment_variables'),
    requestReason: reader.read('request_reason', parseRequestReason),
    expectedProject: reader.read('expected_project', parseProjectId),
    expectedAccount: reader.read('expected_account', parseAccount),
    writesSummary: readSwitch(reader, 'step_summary'),
    deadlineSeconds: reader.read('timeout', (text) => parseDuration(text, timeoutRange)) ?? defaultTimeoutSeconds,
  };
}

function readFile(reader: InputReader, tokenLifetimeSeconds: number): Settings['file'] {
  return {
    create: readSwitch(reader, 'create_credentials_file'),
    cleanUp: readSwitch(reader, 'cleanup_credentials'),
    mode: reader.read('credentials_file_mode', parseFileMode) ?? defaultFileMode,
    tokenLifetimeSeconds,
  };
}

function readSwitch(reader: InputReader, name: InputName): boolean {
  return reader.read(name, parseBoolean) ?? true;
}

/** The project of the given account takes precedence over that of the key. */
function findProject(identity: Identity): string | undefined {
  const { serviceAccount } = identity;
  const named = serviceAccount === undefined ? undefined : parseAccountProject(serviceAccount);
  return named ?? (identity.mode === 'key' ? identity.key.projectId : undefined);
}
