import { formatCloudSummary } from './clouds/cloud-summary';
import { publishClouds, type PublishCloudsOptions } from './clouds/publish-clouds';
import type { SignedInCloud } from './clouds/sign-in-to-clouds';
import { exportVariables } from './export-variables';
import type { IssuedTokens } from './issue-tokens';
import { removeTokenFolder } from './post/remove-token-folder';
import { publishCredentials } from './publish-credentials';
import { publishSummary } from './publish-summary';
import type { Settings } from './settings';

export interface PublishAllOptions extends PublishCloudsOptions {
  /** `undefined` for jobs that sign in to other clouds only. */
  readonly google: { readonly settings: Settings; readonly issued: IssuedTokens } | undefined;
  readonly clouds: readonly SignedInCloud[];
  /** Of the exchange with Google Cloud. */
  readonly oidcToken: string | undefined;
}

/** Provides the credentials of every cloud to later steps. A failure leaves none of them behind. */
export async function publishAll({ google, clouds, oidcToken, ...options }: PublishAllOptions): Promise<void> {
  const { runtime, step } = options;
  const { variables, folder } = await publishClouds(clouds, options);
  try {
    if (google === undefined) exportVariables(runtime, step, variables);
    else await publishCredentials({ ...options, ...google, oidcToken, otherVariables: variables });
    if (step.writesSummary && clouds.length > 0) await publishSummary(runtime, formatCloudSummary(clouds, variables));
  } catch (error) {
    if (folder !== undefined) removeTokenFolder(folder);
    throw error;
  }
}
