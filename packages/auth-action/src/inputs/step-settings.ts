import { parseAccount, parseProjectId } from './account';
import { parseDuration } from './duration';
import type { InputReader } from './input-reader';
import { parseBoolean } from './switches';
import { parseRequestReason } from './texts';

/** The inputs that are independent of the identity, the token and the credentials file. */
export interface StepSettings {
  readonly exportsVariables: boolean;
  readonly requestReason: string | undefined;
  readonly expectedProject: string | undefined;
  readonly expectedAccount: string | undefined;
  readonly writesSummary: boolean;
  /** For all requests of the main step together. */
  readonly deadlineSeconds: number;
}

const timeoutRange = { minSeconds: 1, maxSeconds: 600, maxText: '10m' };

export function readStepSettings(reader: InputReader): StepSettings {
  return {
    exportsVariables: reader.read('export_environment_variables', parseBoolean),
    requestReason: reader.readOptional('request_reason', parseRequestReason),
    expectedProject: reader.readOptional('expected_project', parseProjectId),
    expectedAccount: reader.readOptional('expected_account', parseAccount),
    writesSummary: reader.read('step_summary', parseBoolean),
    deadlineSeconds: reader.read('timeout', (text) => parseDuration(text, timeoutRange)),
  };
}
