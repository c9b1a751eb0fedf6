import type { ListObjectsV2CommandOutput, S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { isAppError } from '@weir/foundation';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionCall } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../../host/files/error-code';
import type { ActionLog } from '../../host/logs/action-log';
import { durationMs } from '../../values/text/duration';

type StoreSettings = Omit<SettingsFor<'s3.list'>, 'prefix' | 'delimiter' | 'max_keys' | 'output_format'>;

export interface S3Session {
  readonly client: S3Client;
  readonly bucket: string;
  /** Aborted by a stop and by the timeout. */
  readonly signal: AbortSignal;
}

const defaultTimeoutMs = 3_600_000;
const connectMs = 30_000;
/** The longest time without a byte in either direction. */
const silenceMs = 60_000;
const maxAttempts = 3;
/** The number of objects in one request. */
const pageSize = 1_000;

interface Surroundings {
  readonly call: Pick<ActionCall, 'env'>;
  readonly signal: AbortSignal;
  readonly log: Pick<ActionLog, 'note'>;
}

/** One client for the work, closed by a stop or the timeout. */
export async function withS3<T>(
  { call, signal, log }: Surroundings,
  settings: StoreSettings,
  use: (session: S3Session) => Promise<T>,
): Promise<T> {
  const { bucket } = settings;
  if (bucket === undefined) throw actionFailed('bucket is missing, here and in the s3 of the DAG.');
  const timeoutMs = durationMs('timeout', settings.timeout, defaultTimeoutMs);
  const limit = AbortSignal.timeout(timeoutMs);
  // Loaded on first use: most servers never open a store.
  const { S3Client: Client } = await import('@aws-sdk/client-s3');
  const client = new Client(toOptions(settings, call.env));
  try {
    return await use({ client, bucket, signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    if (signal.aborted) throw error;
    if (limit.aborted) throw actionFailed(`There was no end within ${timeoutMs / 1_000} seconds.`, error);
    throw toFailure(error, log);
  } finally {
    client.destroy();
  }
}

export interface Listing {
  readonly prefix: string;
  readonly delimiter?: string | undefined;
  readonly maxKeys?: number;
}

export async function* listPages(
  { client, bucket, signal }: S3Session,
  { prefix, delimiter, maxKeys = pageSize }: Listing,
): AsyncGenerator<ListObjectsV2CommandOutput> {
  const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
  let token: string | undefined;
  do {
    const page: ListObjectsV2CommandOutput = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        Delimiter: delimiter,
        MaxKeys: Math.min(pageSize, maxKeys),
        ContinuationToken: token,
      }),
      { abortSignal: signal },
    );
    yield page;
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

/**
 * Everything that the library would otherwise look up in the environment and the files of the server is given here: a
 * step must not use the credentials of the server.
 */
function toOptions(settings: StoreSettings, env: Readonly<Record<string, string>>): S3ClientConfig {
  const { endpoint } = settings;
  return {
    region: settings.region ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1',
    credentials: readCredentials(settings, env),
    ...(endpoint === undefined ? {} : { endpoint }),
    ignoreConfiguredEndpointUrls: true,
    forcePathStyle: settings.force_path_style ?? endpoint !== undefined,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    useArnRegion: false,
    defaultsMode: 'standard',
    retryMode: 'standard',
    maxAttempts,
    // Stores of others know these checksums less often than AWS.
    ...(endpoint === undefined
      ? {}
      : { requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' }),
    requestHandler: { connectionTimeout: connectMs, requestTimeout: silenceMs, throwOnRequestTimeout: true },
  };
}

function readCredentials(settings: StoreSettings, env: Readonly<Record<string, string>>) {
  const accessKeyId = settings.access_key_id ?? env.AWS_ACCESS_KEY_ID ?? '';
  const secretAccessKey = settings.secret_access_key ?? env.AWS_SECRET_ACCESS_KEY ?? '';
  if (accessKeyId === '') throw actionFailed('access_key_id is missing, here and in the s3 of the DAG.');
  if (secretAccessKey === '') throw actionFailed('secret_access_key is missing, here and in the s3 of the DAG.');
  // A token of the environment belongs to the key of the environment.
  const sessionToken =
    settings.session_token ?? (settings.access_key_id === undefined ? env.AWS_SESSION_TOKEN : undefined);
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

/** What the store says may quote settings, so it goes to the log, where secrets are masked. */
function toFailure(error: unknown, log: Surroundings['log']): unknown {
  if (isAppError(error) || !isFromStore(error)) return error;
  const status = error.$metadata.httpStatusCode;
  if (status !== undefined) {
    log.note(error.message);
    return actionFailed(`The store refused this (${error.name}, status ${status}).`, error);
  }
  const code = errorCode(error);
  const hint = code === undefined ? '' : ` (${code})`;
  return actionFailed(`The store cannot be reached, or the connection was lost${hint}.`, error);
}

interface StoreError extends Error {
  readonly $metadata: { readonly httpStatusCode?: number };
}

/** The library adds this to every error of a request, also to those of the network. */
function isFromStore(error: unknown): error is StoreError {
  return error instanceof Error && '$metadata' in error;
}
