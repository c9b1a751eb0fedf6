import type { PublishCloudsOptions } from './clouds/publish-clouds';
import type { SignedInCloud } from '../clouds/sign-in-to-clouds';
import { exportVariables } from './export-variables';
import type { IssuedTokens } from '../cloud/issue-tokens';
import { loadPart } from '../runner/load-part';
import { removeTokenFolder } from './clouds/remove-token-folder';
import { publishCredentials } from './publish-credentials';
import { publishSummary } from '../runner/publish-summary';
import type { Settings } from '../inputs/settings';

export interface GoogleCredentials {
  readonly settings: Settings;
  readonly issued: IssuedTokens;
  /** The token for Docker, if the step signs in to a registry. */
  readonly registryToken: string | undefined;
}

export interface PublishAllOptions extends PublishCloudsOptions {
  /** `undefined` for jobs that sign in to other clouds only. */
  readonly google: GoogleCredentials | undefined;
  readonly clouds: readonly SignedInCloud[];
  /** The token of the exchange with Google Cloud. */
  readonly oidcToken: string | undefined;
}

/** Provides the credentials of every cloud to later steps. A failure leaves none of them behind. */
export async function publishAll({ google, clouds, oidcToken, ...options }: PublishAllOptions): Promise<void> {
  const { runtime, step } = options;
  const others = clouds.length === 0 ? undefined : await loadPart(() => import('./clouds/index.js'));
  const { variables, folder } = (await others?.publishClouds(clouds, options)) ?? { variables: [], folder: undefined };
  let signOut: (() => void) | undefined;
  try {
    if (google?.registryToken !== undefined) {
      const { signInToRegistries, signOutOfRegistries } = await loadPart(() => import('./docker/index.js'));
      const state = signInToRegistries(runtime, google.settings.registries, google.registryToken);
      signOut = () => void signOutOfRegistries(state);
    }
    if (google === undefined) exportVariables(runtime, step, variables);
    else await publishCredentials({ ...options, ...google, oidcToken, otherVariables: variables });
    if (step.writesSummary && others !== undefined) {
      publishSummary(runtime, others.formatCloudSummary(clouds, variables));
    }
  } catch (error) {
    signOut?.();
    if (folder !== undefined) removeTokenFolder(folder);
    throw error;
  }
}
