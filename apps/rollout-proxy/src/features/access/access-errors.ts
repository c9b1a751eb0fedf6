import { AppError } from '@weir/foundation';
import type { KeyKind } from '@weir/rollout-contract';

export const keyMissing = () =>
  new AppError(
    'unauthenticated',
    'Send a key, as "Authorization: Bearer <key>" or in the header "x-api-key" or "x-goog-api-key".',
    {
      reason: 'key_missing',
    },
  );

export const keyUnknown = () => new AppError('unauthenticated', 'The key is not known.', { reason: 'key_unknown' });

const names: Readonly<Record<KeyKind, string>> = { admin: 'admin', reader: 'read-only', session: 'session' };

export const wrongKind = (needed: readonly KeyKind[]) =>
  new AppError('forbidden', `This operation needs the ${needed.map((kind) => names[kind]).join(' or ')} key.`, {
    reason: 'key_kind_wrong',
  });
