import type { JsonObject, JsonValue, PackagedAction } from '@weir/workflow-spec';
import { compileInputSchema } from '@weir/workflow-spec/actions';
import { AppError } from '@weir/foundation';
import type { RunContext } from '../context/run-context';
import type { RunSource } from '../../model/run-model/create-run';
import type { PackageManifest } from '../../host/packages/package-store';
import { dagInOtherWorkspace, mayCall } from './call-rule';

/** The DAG of a packaged action, and what its run has to publish. */
export interface PackagedSource {
  readonly source: RunSource;
  readonly manifest: PackageManifest;
}

/** Fetches a packaged action. Throws when it cannot be had, when its input is refused, and when the run may not call it. */
export async function findPackagedSource(
  { ports, run, root }: RunContext,
  action: PackagedAction,
  { params, signal }: { readonly params: string; readonly signal: AbortSignal },
): Promise<PackagedSource> {
  if (ports.packages === undefined) throw refused('Packaged actions cannot be fetched here.');
  const { folder, manifest } = await ports.packages.load(action, signal);
  check(`the input of ${JSON.stringify(action.text)}`, manifest.inputs, parseParams(params));
  const source = await ports.children.readPackage({ folder, manifest });
  if (!mayCall([run, root], source.dag)) throw dagInOtherWorkspace(action.text);
  const workspace = run.workspace === null ? {} : { workspace: run.workspace };
  return { manifest, source: { ...source, dag: { ...source.dag, ...workspace } } };
}

/** Throws when the outputs are not those that the manifest declares. */
export function checkPackageOutputs(action: PackagedAction, { outputs }: PackageManifest, published: JsonValue): void {
  check(`the outputs of ${JSON.stringify(action.text)}`, outputs, published as JsonObject);
}

function check(what: string, schema: JsonObject | undefined, value: JsonObject): void {
  if (schema === undefined) return;
  const compiled = compileInputSchema(schema);
  // The manifest was read with it.
  if (!('check' in compiled)) throw new AppError('internal', 'The schema of a packaged action is not usable.');
  const problems = compiled.check(value).problems.map(({ path, message }) => `${path} ${message}`.trim());
  if (problems.length > 0) throw refused(`Refused is ${what}: ${problems.slice(0, 10).join('; ')}.`);
}

function parseParams(params: string): JsonObject {
  // Settings of a step are a map, which is passed as JSON.
  return JSON.parse(params) as JsonObject;
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'packaged_action_refused' });
}
