import { generateKeyPairSync } from 'node:crypto';
import { isAppError, type AppError } from '@weir/foundation';
import type { ActionSettings, Settings } from '../inputs/settings';
import type { ActionsRuntime } from '../runner/actions-runtime';
import { giveInputs, type Inputs } from './manifest';
import { readOtherInputs } from '../inputs/other-clouds';
import { needsOtherInputs, readSettings } from '../inputs/read-settings';

export type { Inputs };

export const provider = 'projects/123456/locations/global/workloadIdentityPools/ci-pool/providers/ci-provider';
export const account = 'deployer@demo-project.iam.gserviceaccount.com';
export const federation: Inputs = { workload_identity_provider: provider, service_account: account };

export const privateKey = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey;

export function aKey(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    type: 'service_account',
    project_id: 'key-project',
    private_key_id: '0123456789abcdef',
    private_key: privateKey,
    client_email: 'robot@key-project.iam.gserviceaccount.com',
    client_id: '100000000000000000001',
    ...changes,
  };
}

/** A runtime that allows only inputs, the environment and masking. */
export function aRuntime(inputs: Inputs, env: ActionsRuntime['env'] = {}) {
  const masked: string[] = [];
  const unexpected = (): never => {
    throw new Error('Reading inputs must have no effects.');
  };
  const runtime: ActionsRuntime = {
    ...giveInputs(inputs),
    env,
    mask: (secret) => masked.push(secret),
    debug: unexpected,
    info: unexpected,
    notice: unexpected,
    warning: unexpected,
    setOutput: unexpected,
    exportVariable: unexpected,
    saveState: unexpected,
    writeSummary: unexpected,
  };
  return { runtime, masked };
}

/** Reads inputs like the main step. */
export function readAllSettings(inputs: Inputs, env?: ActionsRuntime['env']): ActionSettings {
  const { runtime } = aRuntime(inputs, env);
  return readSettings(runtime, needsOtherInputs(runtime) ? readOtherInputs : undefined);
}

export function readInputs(inputs: Inputs): Settings {
  const { google } = readSettings(aRuntime(inputs).runtime);
  if (google === undefined) throw new Error('The inputs are for other clouds.');
  return google;
}

export function readRefusedInputs(inputs: Inputs, env?: ActionsRuntime['env']): AppError {
  try {
    readAllSettings(inputs, env);
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
  throw new Error('The inputs were accepted.');
}
