import { keySpec } from '../../../shapes/object-kind';
import { nonEmptyText, text } from '../../../shapes/shapes';
import { duration } from '../../../shapes/settings/duration-setting';
import { flag, webUrl } from '../../../shapes/settings/setting-shapes';
import { settingsShape } from '../../../shapes/settings/settings-shape';

/** Keys for the connection to a store; they are defaults in a DAG and settings in a step. */
export const s3Keys = {
  bucket: keySpec('Name of the bucket', nonEmptyText),
  endpoint: keySpec('URL of the store; that of AWS by default', webUrl),
  region: keySpec('Region; AWS_REGION of the step, or us-east-1, by default', nonEmptyText),
  access_key_id: keySpec('Access key; AWS_ACCESS_KEY_ID of the step by default', text),
  secret_access_key: keySpec('Secret key; AWS_SECRET_ACCESS_KEY of the step by default', text),
  session_token: keySpec('Session token; AWS_SESSION_TOKEN of the step by default', text),
  force_path_style: keySpec('Name the bucket in the path; by default with an endpoint', flag),
  timeout: keySpec('Timeout of the whole action; one hour by default', duration),
} as const;

/** The shape of the `s3` of a trigger, which has no environment and whose address names the bucket. */
export const triggerStore = settingsShape({
  title: 's3',
  keys: {
    endpoint: s3Keys.endpoint,
    region: keySpec('Region; us-east-1 by default', nonEmptyText),
    access_key_id: keySpec('Access key', nonEmptyText),
    secret_access_key: keySpec('Secret key', nonEmptyText),
    session_token: keySpec('Session token', nonEmptyText),
    force_path_style: s3Keys.force_path_style,
  },
});

/** The shape of the `s3` of a DAG. */
export const s3Defaults = settingsShape({ title: 's3', keys: s3Keys });
