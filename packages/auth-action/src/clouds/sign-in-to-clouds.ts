import { loadPart } from '../runner/load-part';
import type { CloudContext, CloudSignIn } from './cloud-sign-in';
import type { CloudSettings } from '../inputs/cloud-settings';

/** Signs in to each cloud in turn. Hands nothing out. */
export async function signInToClouds(
  { aws, azure }: CloudSettings,
  context: CloudContext,
): Promise<readonly CloudSignIn[]> {
  const signedIn: CloudSignIn[] = [];
  if (aws !== undefined) {
    const { signInToAws } = await loadPart(() => import('./aws.js'));
    signedIn.push(await signInToAws(context, aws));
  }
  if (azure !== undefined) {
    const { signInToAzure } = await loadPart(() => import('./azure.js'));
    signedIn.push(await signInToAzure(context, azure));
  }
  return signedIn;
}
