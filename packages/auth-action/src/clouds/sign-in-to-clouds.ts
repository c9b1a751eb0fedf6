import { loadPart } from '../runner/load-part';
import type { CloudContext, CloudSignIn } from './cloud-sign-in';
import type { CloudSettings } from '../inputs/cloud-settings';

export interface SignInOptions extends Omit<CloudContext, 'oidcToken'> {
  /** The OIDC token of the job for an audience, masked. */
  readonly requestOidcToken: (audience: string) => Promise<string>;
}

export interface SignedInCloud extends CloudSignIn {
  readonly oidcToken: string;
}

/** Signs in to each cloud in turn. Hands nothing out. */
export async function signInToClouds(
  { aws, azure }: CloudSettings,
  { requestOidcToken, ...options }: SignInOptions,
): Promise<readonly SignedInCloud[]> {
  const signedIn: SignedInCloud[] = [];
  if (aws !== undefined) {
    const { signInToAws } = await loadPart(() => import('./aws.js'));
    const context = { ...options, oidcToken: await requestOidcToken(aws.audience) };
    signedIn.push({ ...(await signInToAws(context, aws)), oidcToken: context.oidcToken });
  }
  if (azure !== undefined) {
    const { signInToAzure } = await loadPart(() => import('./azure.js'));
    const context = { ...options, oidcToken: await requestOidcToken(azure.audience) };
    signedIn.push({ ...(await signInToAzure(context, azure)), oidcToken: context.oidcToken });
  }
  return signedIn;
}
