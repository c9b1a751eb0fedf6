import { parseAccount, parseProjectId } from './account';
import { parseDuration } from './duration';
import { type OidcSource, isOidcToken } from './oidc-source';
import type { InputReader } from './input-reader';
import { parseList } from './list';
import { parseBoolean } from './switches';
import { parseIdentityName, parseRequestReason, parsePath } from './texts';
import { invalidInput, validInput, type ParsedInput } from './parsed-input';
import { variableNames } from './variable-names';
import { quoteInput } from './quote-input';

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

function readOidcSource(reader: InputReader, mask: (secret: string) => void): OidcSource {
  const token = reader.readOptional('oidc_token', (text) => parseOidcToken(text, mask));
  const file = reader.readOptional('oidc_token_file', parsePath);
  if (token !== undefined && file !== undefined) {
    reader.report(
      'oidc_token',
      invalidInput('oidc_token_ambiguous', 'is set, and so is oidc_token_file. Set only one of them.'),
    );
  }
  if (token !== undefined) return { kind: 'token', token };
  return file === undefined ? { kind: 'runner' } : { kind: 'file', path: file };
}

/** The message does not repeat the text, which may be a secret. */
function parseOidcToken(text: string, mask: (secret: string) => void): ParsedInput<string> {
  mask(text);
  if (isOidcToken(text)) return validInput(text);
  return invalidInput(
    'oidc_token_invalid',
    `has ${text.length} characters, but is not an OIDC token: three base64url parts with dots between them. For a path, use oidc_token_file.`,
  );
}

/** One of the variables that the action sets. */
function parseVariable(text: string): ParsedInput<string> {
  if (variableNames.includes(text)) return validInput(text);
  return invalidInput(
    'variable_unknown',
    `is ${quoteInput(text)}, which the action does not set. Use some of ${variableNames.join(', ')}.`,
  );
}
