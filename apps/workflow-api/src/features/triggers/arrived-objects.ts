import { createHash } from 'node:crypto';
import { AppError, isAppError } from '@weir/foundation';
import { LRUCache } from 'lru-cache';
import {
  closeFolders,
  createPermits,
  findObjects,
  resolveSecrets,
  type FoundObject,
  type ReadStoredSecret,
  type SecretProviders,
} from '@weir/workflow-engine';
import type { Clock } from '@weir/workflow-engine/model';
import type { Dag, FileTrigger, JsonObject } from '@weir/workflow-spec';
import { compileObjectGlob } from '@weir/workflow-spec/text';
import { findStoreSecrets, mapTexts, resolveField, triggerStoreOf } from '@weir/workflow-spec/values';
import type { Config } from '../../config';
import { serverFolders } from '../worker/step-isolation';
import { byAge, maxFiles, placeOf, type ArrivedFile, type ArrivedFiles } from './arrived-files';

export interface ArrivedObjectsOptions {
  /** The environment of the server: only what a secret names is taken from it. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  readonly config: Pick<Config, 'home' | 'data' | 'logs' | 'dags'>;
  readonly secretProviders: SecretProviders;
  readonly readStoredSecret: ReadStoredSecret;
  readonly clock: Clock;
}

export type StoreDag = Pick<Dag, 'name' | 's3' | 'secrets' | 'workspace'>;

/** The objects that match triggers. Credentials are those of the DAG, and are dropped after each listing. */
export interface ArrivedObjects {
  /** Throws `objects_not_listed`, whose message holds no setting and no secret. */
  list(dag: StoreDag, trigger: FileTrigger, signal: AbortSignal): Promise<ArrivedFiles>;
  /**
   * Returns the newest objects of a listing that is at most a minute old, for people who ask again and again; none when
   * it failed.
   */
  listNewest(dag: StoreDag, trigger: FileTrigger, signal: AbortSignal): Promise<readonly ArrivedFile[]>;
}

/** One trigger is not listed more often. */
export const listingMs = 60_000;
const deadlineMs = 60_000;
const listingsAtOnce = 8;
const maxPages = 100;
const newestFiles = 20;
const keptListings = 500;

export function createArrivedObjects(options: ArrivedObjectsOptions): ArrivedObjects {
  const permits = createPermits(listingsAtOnce);
  const newest = new LRUCache<string, Promise<readonly ArrivedFile[]>>({
    max: keptListings,
    ttl: listingMs,
    perf: { now: () => options.clock.now().getTime() },
  });
  const list = async (dag: StoreDag, trigger: FileTrigger, signal: AbortSignal): Promise<ArrivedFiles> => {
    const release = await permits.acquire(signal);
    try {
      signal.throwIfAborted();
      const found = await listObjects(options, dag, { trigger, signal });
      newest.set(idOf(dag, trigger), Promise.resolve(found.files.slice(-newestFiles)));
      return found;
    } catch (error) {
      signal.throwIfAborted();
      throw notListed(error);
    } finally {
      release?.();
    }
  };
  return {
    list,
    listNewest: (dag, trigger, signal) => {
      const known = newest.get(idOf(dag, trigger));
      if (known !== undefined) return known;
      const listed = list(dag, trigger, signal).then(
        ({ files }) => files.slice(-newestFiles),
        () => [],
      );
      newest.set(idOf(dag, trigger), listed);
      return listed;
    },
  };
}

async function listObjects(
  options: ArrivedObjectsOptions,
  dag: StoreDag,
  { trigger, signal }: { readonly trigger: FileTrigger; readonly signal: AbortSignal },
): Promise<ArrivedFiles> {
  const glob = compileObjectGlob(trigger.files);
  if (glob === undefined) throw new AppError('invalid_request', 'The glob names no objects.');
  const settings = await readSettings(options, dag, trigger);
  const found = await findObjects({ settings, glob, maxObjects: maxFiles, maxPages, deadlineMs, signal });
  const now = (found.storeTime ?? options.clock.now()).getTime();
  const files = found.objects.map((object) => toFile(glob.bucket, object, now));
  return { files: files.toSorted(byAge), isComplete: found.isComplete };
}

/** Returns the settings of the store with the secrets of the DAG in them, and nothing else of the server. */
async function readSettings(
  { config, hostEnvironment: hostEnv, secretProviders, readStoredSecret }: ArrivedObjectsOptions,
  dag: StoreDag,
  trigger: FileTrigger,
): Promise<JsonObject> {
  const written = triggerStoreOf(dag, trigger);
  const { secrets, others } = findStoreSecrets(written, dag.secrets);
  if (others.length > 0) throw new AppError('invalid_request', 's3 refers to more than secrets of the DAG.');
  const resolved = await resolveSecrets(
    { secrets, ...(dag.workspace === undefined ? {} : { workspace: dag.workspace }) },
    {
      hostEnv,
      folder: config.dags.folder,
      // They are closed to a run in isolated steps, which this process may not have.
      enclosure: closeFolders({ closed: serverFolders(config), open: [config.dags.folder] }),
      providers: secretProviders,
      readStored: readStoredSecret,
    },
  );
  if ('problem' in resolved) throw new AppError('invalid_request', resolved.problem);
  const scope = { params: new Map<string, string>(), env: resolved.values };
  const entries = Object.entries(written).map(
    ([key, value]) => [key, mapTexts(value, (text) => resolveField(text, scope))] as const,
  );
  return Object.fromEntries(entries);
}

function toFile(bucket: string, { key, etag, size, modifiedAt }: FoundObject, nowMs: number): ArrivedFile {
  const address = `s3://${bucket}/${key}`;
  const changedAtMs = modifiedAt.getTime();
  return {
    path: address,
    mark: `${size}:${changedAtMs}:${etag}`,
    size,
    changedAtMs,
    object: {
      // Some stores give no ETag.
      key: createHash('sha256')
        .update(`${address}\0${etag || changedAtMs}:${size}`)
        .digest('hex'),
      quietMs: nowMs - changedAtMs,
    },
  };
}

/** The DAG is a part of it, so that nobody is shown what another DAG may list. */
function idOf({ name, s3, secrets, workspace }: StoreDag, trigger: FileTrigger): string {
  return placeOf(JSON.stringify([name, s3, secrets, workspace, trigger]));
}

/** Without the cause, which may quote settings. */
function notListed(error: unknown): AppError {
  const message = isAppError(error) ? error.message : 'The objects cannot be listed.';
  return new AppError('unavailable', message, { reason: 'objects_not_listed' });
}
