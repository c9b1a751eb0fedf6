import type { Identity, Settings } from '../settings';
import type { Workflow } from '../workflow';
import { parseAccount, parseProjectId, projectOfAccount } from './account';
import { checkDirectFederation } from './direct-federation';
import { parseDuration } from './duration';
import { defaultUniverse, parseUniverse, readEndpoints } from './endpoints';
import { readIdentity } from './identity';
import type { InputName } from './input-names';
import { createInputReader, inputError, type InputReader } from './input-reader';
import { wrong } from './parsed';
import { parseBoolean, parseFileMode } from './switches';
import { parseRequestReason } from './texts';
import { readToken } from './token';

const defaultFileMode = 0o600;
const defaultTimeoutSeconds = 60;
const timeoutRange = { minSeconds: 1, maxSeconds: 600, maxText: '10m' };

/**
 * Reads and checks every input; an empty one has its documented default. Secrets of a key are hidden on the way.
 * Throws one `AppError` (`invalid_request`) that tells everything that is wrong, so that one run is enough to mend it.
 */
export function readSettings(workflow: Workflow): Settings {
  const reader = createInputReader(workflow);
  const universe = reader.read('universe', parseUniverse) ?? defaultUniverse;
  const identity = readIdentity(reader, workflow, universe);
  const { token, lifetimeSeconds, delegates, revokes } = readToken(reader);
  const projectId = reader.read('project_id', parseProjectId);
  const rest = readRest(reader, universe);
  const file = readFile(reader, lifetimeSeconds);
  checkDirectFederation(reader, lifetimeSeconds);
  checkSubject(reader, universe);
  if (identity === undefined || token === undefined || reader.problems.length > 0) throw inputError(reader.problems);
  return { identity, token, delegates, projectId: projectId ?? projectOf(identity), universe, file, revokes, ...rest };
}

/** Google's own libraries refuse it too: universes other than the first have no users of a domain to act as. */
function checkSubject(reader: InputReader, universe: string): void {
  if (universe === defaultUniverse || reader.text('access_token_subject') === undefined) return;
  const message = `is set, but domain-wide delegation exists in the universe ${defaultUniverse} only, and this one is ${universe}. Take it away.`;
  reader.report('access_token_subject', wrong('subject_unsupported', message));
}

type Rest = Omit<Settings, 'identity' | 'token' | 'delegates' | 'projectId' | 'universe' | 'file' | 'revokes'>;

function readRest(reader: InputReader, universe: string): Rest {
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

/** On unless it is switched off. */
function readSwitch(reader: InputReader, name: InputName): boolean {
  return reader.read(name, parseBoolean) ?? true;
}

/** The account that was named goes first, then the key, whose project is that of its own account. */
function projectOf(identity: Identity): string | undefined {
  const { serviceAccount } = identity;
  const named = serviceAccount === undefined ? undefined : projectOfAccount(serviceAccount);
  return named ?? (identity.mode === 'key' ? identity.key.projectId : undefined);
}
