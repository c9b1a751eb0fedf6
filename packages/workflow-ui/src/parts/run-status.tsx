import { StatusName, StatusShape } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import type { Schemas } from '../api/client';
import { statusKindOf } from '../api/status';
import { useAppMessages } from './text/app-messages';

export interface RunStatusProps {
  readonly status: Schemas['StatusLabel'] | Schemas['NodeStatusLabel'];
  /** Whether only the shape is shown; the name is spoken. */
  readonly isShort?: boolean;
}

/** The status of a run or a step. */
export function RunStatus({ status, isShort = false }: RunStatusProps): ReactElement {
  const t = useAppMessages();
  const kind = statusKindOf(status);
  const name = t(`app.status.${kind}`);
  return isShort ? <StatusShape kind={kind} label={name} /> : <StatusName kind={kind} name={name} />;
}
