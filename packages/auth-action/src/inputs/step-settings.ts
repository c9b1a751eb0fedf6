import { parseAccount, parseProjectId } from './account';
import { parseDuration } from './duration';
import type { OidcSource } from './oidc-source';
import type { InputReader } from './input-reader';
import { parseList } from './list';
import { readOidcSource } from './read-oidc-source';
import { parseBoolean } from './switches';
import { parseIdentityName, parseRequestReason } from './texts';
import { parseVariable } from './variable-choice';

/** The inputs that are independent of the identity, the token and the credentials file. */
export interface StepSettings {
  readonly exportsVariables: boolean;
  /** Distinguishes the identities of one job. */
  readonly identityName: string | undefined;
  /** The variables to set, if not all. */
  readonly exportedVariables: readonly string[] | undefined;
  readonly restoresVariables: boolean;
  /** Whether the step only checks and hands nothing out. */
  readonly isCheck: boolean;
  readonly oidcSource: OidcSource;
  readonly requestReason: string | undefined;
  readonly expectedProject: string | undefined;
  readonly expectedAccount: string | undefined;
  readonly writesSummary: boolean;
  /** The time limit of all requests of the main step together. */
  readonly deadlineSeconds: number;
}

const timeoutRange = { minSeconds: 1, maxSeconds: 600, maxText: '10m' };

export function readStepSettings(reader: InputReader, mask: (secret: string) => void): StepSettings {
  return {
    exportsVariables: reader.read('export_environment_variables', parseBoolean),
    identityName: reader.readOptional('identity', parseIdentityName),
    exportedVariables: reader.readOptional('exported_variables', (text) => parseList(text, parseVariable)),
    isCheck: reader.read('check', parseBoolean),
    restoresVariables: reader.read('restore_environment_variables', parseBoolean),
    oidcSource: readOidcSource(reader, mask),
    requestReason: reader.readOptional('request_reason', parseRequestReason),
    expectedProject: reader.readOptional('expected_project', parseProjectId),
    expectedAccount: reader.readOptional('expected_account', parseAccount),
    writesSummary: reader.read('step_summary', parseBoolean),
    deadlineSeconds: reader.read('timeout', (text) => parseDuration(text, timeoutRange)),
  };
}
