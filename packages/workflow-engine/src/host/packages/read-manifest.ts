import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '@weir/workflow-spec';
import { compileInputSchema } from '@weir/workflow-spec/actions';
import { decodeYaml } from '@weir/workflow-spec/text';
import { confinedPath } from '../artifacts/confined-path';
import { packageFailed } from './package-errors';
import type { PackageManifest } from './package-store';

export const manifestName = 'dagu-action.yaml';

const keys = new Set(['apiVersion', 'name', 'dag', 'inputs', 'outputs']);
const maxBytes = 1_048_576;

/** Rejects with `package_unavailable` for what is no manifest of a packaged action. */
export async function readManifest(folder: string): Promise<PackageManifest> {
  const manifest = await readMap(join(folder, manifestName));
  const wrong = (what: string) => packageFailed(`its ${manifestName} ${what}.`);
  const unknown = Object.keys(manifest).find((key) => !keys.has(key));
  if (unknown !== undefined) throw wrong(`has the unknown key ${JSON.stringify(unknown)}`);
  const { apiVersion, name, dag, inputs, outputs } = manifest;
  if (apiVersion !== 'v1alpha1') throw wrong('must have apiVersion: v1alpha1');
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,33}$/.test(name)) {
    throw wrong('must have a name of up to 33 letters, digits, ".", "_" and "-"');
  }
  if (typeof dag !== 'string' || dag === '') throw wrong('must name its dag');
  const place = await confinedPath(folder, dag, { makesFolders: false });
  if ('problem' in place) throw wrong(`names a dag that ${place.problem}`);
  if (!(await isFile(place.path))) throw wrong('names a dag that is not there');
  return { name, dag, ...toSchema('inputs', inputs), ...toSchema('outputs', outputs) };
}

async function readMap(file: string): Promise<Readonly<Record<string, JsonValue>>> {
  if (!(await isFile(file))) throw packageFailed(`it has no ${manifestName}.`);
  const found = decodeYaml(await readFile(file, 'utf8'));
  if ('value' in found && isMap(found.value)) return found.value;
  throw packageFailed(`its ${manifestName} is no map in YAML.`);
}

async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true && found.size <= maxBytes;
}

function toSchema(name: 'inputs' | 'outputs', schema: JsonValue | undefined): Partial<PackageManifest> {
  if (schema === undefined || schema === null) return {};
  const compiled = isMap(schema) ? compileInputSchema(schema) : {};
  if ('check' in compiled) return { [name]: schema as JsonObject };
  throw packageFailed(`its ${manifestName} has ${name} that are no schema: ${compiled.problem ?? 'it is not usable'}`);
}

function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
