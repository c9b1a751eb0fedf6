import { AppError } from '@weir/foundation';
import { Secret, type Variables, type VariableValues } from '@weir/service-kit';
import { z } from 'zod';

const text = z.string().min(1);

/** Settings for the storage of the logs and artifacts of runs. */
export const storeVariables = {
  WEIR_STORE_URL: {
    schema: z
      .string()
      .regex(
        /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9._/-]*)?$/,
        'must be s3://BUCKET or s3://BUCKET/PREFIX',
      )
      .optional(),
    defaultText: 'files below `$WEIR_HOME`',
    description:
      'Bucket for the logs and artifacts of runs, such as `s3://weir` or `s3://weir/production`, so that all servers can read what workers on other machines write.',
  },
  WEIR_STORE_ENDPOINT: {
    schema: z.url({ protocol: /^https?$/, error: 'must be a URL of http or https' }).optional(),
    defaultText: 'that of AWS',
    description: 'URL of another store with the interface of S3, such as MinIO.',
  },
  WEIR_STORE_REGION: {
    schema: text.default('us-east-1'),
    defaultText: '`us-east-1`',
    description: 'Region of the bucket.',
  },
  WEIR_STORE_ACCESS_KEY_ID: {
    schema: text.optional(),
    defaultText: 'none',
    description:
      'Access key for the bucket. Without it, the variables, files and roles are used that the tools of AWS find.',
  },
  WEIR_STORE_SECRET_ACCESS_KEY: {
    schema: text.optional(),
    defaultText: 'none',
    description: 'Secret of the access key for the bucket.',
  },
} as const satisfies Variables;

export interface StoreConfig {
  /** Missing where the files are stored on this machine, or in folders that all machines share. */
  readonly store:
    | {
        readonly bucket: string;
        /** Empty, or ends with `/`. */
        readonly prefix: string;
        readonly region: string;
        readonly endpoint: string | undefined;
        readonly key: { readonly id: string; readonly secret: Secret } | undefined;
      }
    | undefined;
}

export function readStoreConfig(values: VariableValues<typeof storeVariables>): StoreConfig {
  const { WEIR_STORE_URL: url, WEIR_STORE_ACCESS_KEY_ID: id, WEIR_STORE_SECRET_ACCESS_KEY: secret } = values;
  if ((id === undefined) !== (secret === undefined)) {
    throw incomplete('WEIR_STORE_ACCESS_KEY_ID and WEIR_STORE_SECRET_ACCESS_KEY need each other.');
  }
  if (url === undefined) {
    if (id !== undefined || values.WEIR_STORE_ENDPOINT !== undefined) throw incomplete('WEIR_STORE_URL is missing.');
    return { store: undefined };
  }
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)\/*(.*?)\/*$/.exec(url) ?? [];
  return {
    store: {
      bucket,
      prefix: path === '' ? '' : `${path}/`,
      region: values.WEIR_STORE_REGION,
      endpoint: values.WEIR_STORE_ENDPOINT,
      key: id === undefined || secret === undefined ? undefined : { id, secret: new Secret(secret) },
    },
  };
}

function incomplete(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'config_invalid' });
}
