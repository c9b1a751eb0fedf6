import type { PublishCloudsOptions } from './clouds/publish-clouds';
import type { CloudSignIn } from '../clouds/cloud-sign-in';
import { exportVariables } from './export-variables';
import type { IssuedTokens } from '../cloud/issue-tokens';
import { loadPart } from '../runner/load-part';
import { publishCredentials } from './publish-credentials';
import type { PublishedRegistries } from './publish-registries';
import { publishSummary } from '../runner/publish-summary';
import type { Settings } from '../inputs/settings';

export interface GoogleCredentials {
  readonly settings: Settings;
  readonly issued: IssuedTokens;
  /** `undefined` for jobs that sign in to no registry of Google Cloud. */
  readonly registryToken: string | undefined;
}

export interface PublishAllOptions extends PublishCloudsOptions {
  /** `undefined` for jobs that sign in to other clouds only. */
  readonly google: GoogleCredentials | undefined;
  readonly clouds: readonly CloudSignIn[];
  /** The token of the exchange with Google Cloud. */
  readonly oidcToken: string | undefined;
}

/** Provides the credentials of every cloud to later steps. A failure leaves none of them behind. */
export async function publishAll({ google, clouds, oidcToken, ...options }: PublishAllOptions): Promise<void> {
  const { runtime, step } = options;
  const others = clouds.length === 0 ? undefined : await loadPart(() => import('./clouds/index.js'));
  const published = await others?.publishClouds(clouds, options);
  const variables = published?.variables ?? [];
  let registries: PublishedRegistries | undefined;
  try {
    if (google?.registryToken !== undefined || clouds.some((cloud) => cloud.registries.length > 0)) {
      const { publishRegistries } = await loadPart(() => import('./publish-registries.js'));
      registries = await publishRegistries({ runtime, randomBytes: options.randomBytes, google, clouds });
    }
    const packageVariables = registries?.variables ?? [];
    if (google === undefined) exportVariables(runtime, step, variables);
    else await publishCredentials({ ...options, ...google, oidcToken, packageVariables, otherVariables: variables });
    if (step.writesSummary && others !== undefined) {
      publishSummary(runtime, others.formatCloudSummary(clouds, variables));
    }
  } catch (error) {
    registries?.undo();
    await published?.undo();
    throw error;
  }
}
