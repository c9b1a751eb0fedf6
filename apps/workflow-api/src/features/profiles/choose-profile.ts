import type { ProfileLayer } from '@weir/workflow-engine/model';
import type { ChooseProfile } from '../runs';
import { profileDisabled, profileProtected, profileUnknown } from './profile-errors';
import { globalName, workspaceLayerName, type ProfileRepository, type StoredProfile } from './profile';

/** Collects what a new run gets from the defaults and from the profile that its start names, or else the default one. */
export function createProfileChoice(profiles: Pick<ProfileRepository, 'find'>): ChooseProfile {
  return async ({ profile: asked, workspace, mayUseProtected }) => {
    const global = await profiles.find(globalName);
    const own = workspace === undefined ? undefined : await profiles.find(workspaceLayerName(workspace));
    const defaultName = own?.defaultProfile ?? global?.defaultProfile ?? undefined;
    const name = asked ?? defaultName ?? '';
    const chosen = name === '' ? undefined : await findUsable(profiles, name);
    // An administrator has made it the default, and thereby lets every run use it.
    if (chosen?.isProtected === true && !mayUseProtected && name !== defaultName) throw profileProtected(name);
    const defaults = [global, own].flatMap((layer) => (layer === undefined ? [] : [toLayer(layer, true)]));
    const layers = [...defaults, ...(chosen === undefined ? [] : [toLayer(chosen, false)])];
    const filled = layers.filter(({ variables, secrets }) => Object.keys(variables).length + secrets.length > 0);
    return { profile: chosen?.name ?? null, profileLayers: filled };
  };
}

async function findUsable(profiles: Pick<ProfileRepository, 'find'>, name: string): Promise<StoredProfile> {
  const found = await profiles.find(name);
  if (found === undefined) throw profileUnknown(name);
  if (found.isDisabled) throw profileDisabled(name);
  return found;
}

function toLayer({ id, name, entries }: StoredProfile, isDefault: boolean): ProfileLayer {
  const variables = entries.flatMap(({ key, content }) => ('value' in content ? [[key, content.value] as const] : []));
  const secrets = entries.flatMap(({ key, content }) => ('sealed' in content ? [key] : []));
  return { id, name, isDefault, variables: Object.fromEntries(variables), secrets };
}
