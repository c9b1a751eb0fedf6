import { formatCloudSummary } from './clouds/cloud-summary';
import { publishClouds, type PublishCloudsOptions } from './clouds/publish-clouds';
import type { SignedInCloud } from './clouds/sign-in-to-clouds';
import { signInToRegistries } from './docker/sign-in-to-registries';
import { exportVariables } from './export-variables';
import type { IssuedTokens } from './issue-tokens';
import { removeTokenFolder } from './post/remove-token-folder';
import { signOutOfRegistries } from './post/sign-out-of-registries';
import type { DockerState } from './post/state';
import { publishCredentials } from './publish-credentials';
import { publishSummary } from './publish-summary';
import type { Settings } from './settings';

export interface GoogleCredentials {
  readonly settings: Settings;
  readonly issued: IssuedTokens;
  /** For Docker, if it is to be signed in. */
  readonly registryToken: string | undefined;
}

export interface PublishAllOptions extends PublishCloudsOptions {
  /** `undefined` for jobs that sign in to other clouds only. */
  readonly google: GoogleCredentials | undefined;
  readonly clouds: readonly SignedInCloud[];
  /** Of the exchange with Google Cloud. */
  readonly oidcToken: string | undefined;
}

/** Provides the credentials of every cloud to later steps. A failure leaves none of them behind. */
export async function publishAll({ google, clouds, oidcToken, ...options }: PublishAllOptions): Promise<void> {
  const { runtime, step } = options;
  const { variables, folder } = await publishClouds(clouds, options);
  let docker: DockerState | undefined;
  try {
    if (google?.registryToken !== undefined) {
      docker = signInToRegistries(runtime, google.settings.registries, google.registryToken);
    }
    if (google === undefined) exportVariables(runtime, step, variables);
    else await publishCredentials({ ...options, ...google, oidcToken, otherVariables: variables });
    if (step.writesSummary && clouds.length > 0) await publishSummary(runtime, formatCloudSummary(clouds, variables));
  } catch (error) {
    if (docker !== undefined) signOutOfRegistries(docker);
    if (folder !== undefined) removeTokenFolder(folder);
    throw error;
  }
}
