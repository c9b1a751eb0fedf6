import type { Part } from '../../model/compact';
import type { DagSettings } from '../../model/dag';
import { dotenv } from '../../values/environment/dotenv';
import { secrets } from '../../values/environment/secrets';
import { keySpec } from '../../shapes/object-kind';
import type { Fields } from '../../shapes/read-object';
import { env } from '../../values/environment/env';

export const environmentKeys = {
  env: keySpec('Environment of all steps', env),
  dotenv: keySpec('Environment files, read after .env; an empty list disables all of them', dotenv),
  secrets: keySpec(
    'Environment variables whose values are fetched when a run starts and masked in all output',
    secrets,
  ),
} as const;

export function readEnvironmentSettings(fields: Fields<typeof environmentKeys>): Part<DagSettings> {
  return { env: fields.env?.value, dotenv: fields.dotenv?.value, secrets: fields.secrets?.value };
}
