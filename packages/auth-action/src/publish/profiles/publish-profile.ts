import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { AwsProfileContent } from '../../clouds/cloud-sign-in';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { readUserFile } from '../../runner/read-bounded-file';
import { formatState, stateNames, type ProfileSection, type ProfileState } from '../../runner/state';
import { findSection, replaceSection, writeProfileFile } from './profile-sections';

/**
 * Writes a profile to the files of AWS, and returns what post undoes. Other profiles are kept. Fails with
 * `aws_profile_exists`, unless the profile may be overwritten, and with `aws_profile_failed`.
 */
export function publishProfile(runtime: ActionsRuntime, profile: AwsProfileContent): ProfileState {
  try {
    const written = listSections(runtime.env, profile).map(({ file, name, lines }) => {
      const text = readUserFile(file);
      const previous = findSection(text, name);
      if (previous !== undefined && !profile.overwrites) throw exists(profile.name, file);
      const section = [`[${name}]`, ...lines].map((line) => `${line}\n`).join('');
      const saved: ProfileSection = { file, name, mark: lines[0] ?? `[${name}]`, previous };
      return { saved, text: replaceSection(text, name, section) };
    });
    const state: ProfileState = { sections: written.map(({ saved }) => saved) };
    for (const { previous = '' } of state.sections) maskValues(runtime, previous);
    // Before the keys are on disk, so that post knows of them in any case.
    runtime.saveState(stateNames.profile, formatState(state));
    for (const { saved, text } of written) writeProfileFile(saved.file, text);
    runtime.info(`Wrote the profile ${profile.name} of AWS.`);
    return state;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('internal', `The profile of AWS could not be written: ${String(cause)}.`, {
      reason: 'aws_profile_failed',
      cause,
    });
  }
}

interface Section {
  readonly file: string;
  readonly name: string;
  readonly lines: readonly string[];
}

function listSections(env: ActionsRuntime['env'], { name, keys, region }: AwsProfileContent): readonly Section[] {
  const token = keys.sessionToken === undefined ? [] : [`aws_session_token = ${keys.sessionToken}`];
  return [
    {
      file: findFile(env, 'AWS_SHARED_CREDENTIALS_FILE', 'credentials'),
      name,
      lines: [`aws_access_key_id = ${keys.accessKeyId}`, `aws_secret_access_key = ${keys.secretAccessKey}`, ...token],
    },
    {
      file: findFile(env, 'AWS_CONFIG_FILE', 'config'),
      name: name === 'default' ? name : `profile ${name}`,
      lines: region === undefined ? [] : [`region = ${region}`],
    },
  ];
}

/** `USERPROFILE` is the home folder on Windows. */
function findFile(env: ActionsRuntime['env'], variable: string, name: string): string {
  const [given, home] = [env[variable], [env.HOME, env.USERPROFILE].find((folder) => folder)];
  if (given) return path.resolve(given.replace(/^~(?=[/\\])/, () => home ?? '~'));
  if (home === undefined) throw new Error(`neither ${variable} nor HOME is set`);
  return path.join(home, '.aws', name);
}

function exists(name: string, file: string): AppError {
  return new AppError('conflict', `The profile ${name} of AWS exists already in ${file}.`, {
    reason: 'aws_profile_exists',
  });
}

/** A replaced section may contain keys. Short values, such as a region, are no secrets. */
function maskValues(runtime: ActionsRuntime, section: string): void {
  for (const [, value = ''] of section.matchAll(/^[^=\r\n]*(?:key|token|secret)[^=\r\n]*=[ \t]*(\S+)/gim)) {
    if (value.length >= 16) runtime.mask(value);
  }
}
