import type { SettingsFor } from '@weir/workflow-spec/actions';
import { actionFailed } from '../../model/steps/action-errors';
import type { StateOwner, StateKeyspace } from '../call/state-store';

const maxNameBytes = 512;

/**
 * The entries that the settings address. Those of a DAG are shared by all its runs, and reached by their child runs as
 * `root_dag`. Global and custom entries belong to the workspace; names of custom namespaces cannot contain its prefix.
 */
export function chooseKeyspace(
  { scope = 'dag', namespace }: Pick<SettingsFor<'state.get'>, 'scope' | 'namespace'>,
  { dagName, rootDagName, workspace }: StateOwner,
): StateKeyspace {
  if (scope !== 'custom' && namespace !== undefined) throw actionFailed('namespace is only for the scope custom.');
  const shared = workspace === undefined ? '' : `@${workspace}`;
  switch (scope) {
    case 'dag':
      return { scope: 'dag', namespace: dagName };
    case 'root_dag':
      return { scope: 'dag', namespace: rootDagName };
    case 'global':
      return { scope: `global${shared}`, namespace: '' };
    case 'custom':
      return { scope: `custom${shared}`, namespace: checkName('namespace', namespace ?? '') };
  }
}

/** A name that every database can store. */
export function checkName(setting: string, name: string): string {
  if (Buffer.byteLength(name) > maxNameBytes) throw actionFailed(`${setting} is longer than ${maxNameBytes} bytes.`);
  if (name.includes('\0') || /\p{Cs}/u.test(name)) throw actionFailed(`${setting} is not a string that can be stored.`);
  return name;
}
