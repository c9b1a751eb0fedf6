import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { ListFormat } from '../shared/formats';
import type { StoreCommand } from '../shared/program-host';
import { printList } from '../shared/print-list';
import { formatTable } from '../shared/table';
import { withApi } from '../shared/with-api';

interface NamedProfile extends StoreCommand {
  readonly name: string;
}

interface NamedEntry extends NamedProfile {
  readonly key: string;
}

/** Prints the runtime profiles that the caller may see. Returns the exit code. */
export async function listProfiles(options: StoreCommand & { readonly format: ListFormat }): Promise<number> {
  const { profiles } = (await withApi(options, (client) => client.GET('/profiles'))).data;
  const rows = profiles.map(({ name, status, protected: isProtected, entries, description = '' }) => [
    name,
    status,
    isProtected ? 'yes' : 'no',
    ...(['variable', 'secret'] as const).map((kind) => String(entries.filter((entry) => entry.kind === kind).length)),
    description,
  ]);
  const columns = ['NAME', 'STATUS', 'PROTECTED', 'VARIABLES', 'SECRETS', 'DESCRIPTION'];
  printList({ value: { profiles }, table: () => formatTable([columns, ...rows]) }, options);
  return 0;
}

/** Prints the variables of a profile, and the names of its secrets. Returns the exit code. */
export async function showProfile(options: NamedProfile & { readonly format: ListFormat }): Promise<number> {
  const params = { path: { profileName: options.name } };
  const { data: profile } = await withApi(options, (client) => client.GET('/profiles/{profileName}', { params }));
  const rows = profile.entries.map(({ key, kind, value = '********' }) => [key, kind, value]);
  printList({ value: profile, table: () => formatTable([['KEY', 'KIND', 'VALUE'], ...rows]) }, options);
  return 0;
}

export interface CreateProfileOptions extends NamedProfile {
  readonly description?: string | undefined;
  readonly protected?: boolean | undefined;
}

/** Creates a profile without entries. Returns the exit code. */
export async function createProfile(options: CreateProfileOptions): Promise<number> {
  const { name, description, protected: isProtected = false, print } = options;
  const body = { name, description, protected: isProtected };
  await withApi(options, (client) => client.POST('/profiles', { body }));
  print(`The profile ${name} is created.`);
  return 0;
}

/** Lets runs use a profile, or refuses it to them. Returns the exit code. */
export async function switchProfile(options: NamedProfile & { readonly status: 'active' | 'disabled' }) {
  const { name, status, print } = options;
  const params = { path: { profileName: name } };
  await withApi(options, (client) => client.PATCH('/profiles/{profileName}', { params, body: { status } }));
  print(`The profile ${name} is ${status}.`);
  return 0;
}

/** Returns the exit code. */
export async function deleteProfile(options: NamedProfile): Promise<number> {
  const params = { path: { profileName: options.name } };
  await withApi(options, (client) => client.DELETE('/profiles/{profileName}', { params }));
  options.print(`The profile ${options.name} is deleted.`);
  return 0;
}

/** Returns the exit code. */
export async function setVariable(options: NamedEntry & { readonly value: string }): Promise<number> {
  const { name, key, value, print } = options;
  const request = { params: { path: { profileName: name, key } }, body: { value } };
  await withApi(options, (client) => client.PUT('/profiles/{profileName}/variables/{key}', request));
  print(`${key} of the profile ${name} is set.`);
  return 0;
}

/** Stores the content of a file, or what is typed on the terminal. Returns the exit code. */
export async function setSecret(options: NamedEntry & { readonly valueFile?: string | undefined }): Promise<number> {
  const { name, key, print } = options;
  const request = { params: { path: { profileName: name, key } }, body: { value: await readValue(options) } };
  await withApi(options, (client) => client.PUT('/profiles/{profileName}/secrets/{key}', request));
  print(`The secret ${key} of the profile ${name} is set.`);
  return 0;
}

/** Editors end files with a line break, which is no part of a secret. */
async function readValue({ valueFile, workingDirectory, askSecret, key }: Parameters<typeof setSecret>[0]) {
  if (valueFile !== undefined) {
    return (await readFile(path.resolve(workingDirectory, valueFile), 'utf8')).replace(/\r?\n$/, '');
  }
  if (askSecret !== undefined) return askSecret(`Value of ${key}: `);
  throw new AppError('invalid_request', 'There is no terminal to ask for the value on: give --value-file.');
}

/** Deletes a variable or a secret. Returns the exit code. */
export async function deleteKey(options: NamedEntry): Promise<number> {
  const { name, key, print } = options;
  const params = { path: { profileName: name, key } };
  await withApi(options, (client) => client.DELETE('/profiles/{profileName}/entries/{key}', { params }));
  print(`${key} of the profile ${name} is deleted.`);
  return 0;
}
