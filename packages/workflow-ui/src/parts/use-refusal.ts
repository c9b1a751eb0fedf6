import { useMissingRole } from '../api/permissions';
import { useAppMessages } from './text/app-messages';

/** Returns why the caller may not use an operation, as a sentence that names the role; `undefined` where it may. */
export function useRefusal(operationId: string, workspace?: string): string | undefined {
  const t = useAppMessages();
  const role = useMissingRole(operationId, workspace);
  return role === undefined ? undefined : t('app.needsRole', { role });
}
