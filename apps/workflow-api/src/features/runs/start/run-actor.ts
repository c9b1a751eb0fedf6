import type { RunActor } from '@weir/workflow-engine/model';
import type { Principal } from '../../../access/principal';

/** Returns what is recorded about a caller who starts a run. */
export function toRunActor({ kind, id, name }: Principal): RunActor {
  switch (kind) {
    case 'user':
      return { kind, id, name };
    case 'api-key':
      return { kind: 'api_key', id: id.replace(/^apikey:/, ''), name };
    case 'job':
      return { kind, id: id.replace(/^job:/, ''), name: name.replace(/^job:/, '') };
    case 'local':
      return { kind: 'command', name };
    case 'server':
    case 'open-access':
    case 'anonymous':
      return { kind: 'anyone' };
  }
}
