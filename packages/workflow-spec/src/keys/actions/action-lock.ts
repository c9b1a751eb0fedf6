import { limits } from '../../model/limits';
import type { ActionLock } from '../../model/packaged-action';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readNonEmptyText } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { recordShape, reportInvalid } from '../../shapes/shapes';

export type ActionLocks = Readonly<Record<string, ActionLock>>;

const kind = objectKind({
  title: 'lock of an action',
  keys: {
    commit: keySpec(
      'The full id of the commit',
      matching(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'the full id of a commit'),
      {
        required: true,
      },
    ),
    checksum: keySpec('Hash of its files', matching(/^sha256:[0-9a-f]{64}$/, 'sha256: and 64 hex digits'), {
      required: true,
    }),
  },
});

const lock = objectShape(kind, ({ commit, checksum }): ActionLock | undefined =>
  commit?.value === undefined || checksum?.value === undefined
    ? undefined
    : { commit: commit.value, checksum: checksum.value },
);

/** Locks are keyed by the action as a step names it. */
export const actionLocks = recordShape(namedShape('ActionLock', lock), {
  limit: limits.packagedActions,
  code: 'invalid_value',
  what: 'action_lock',
});

function matching(pattern: RegExp, what: string) {
  return shape<string>(
    (value) => {
      const found = readNonEmptyText(value);
      return found === undefined || pattern.test(found) ? found : reportInvalid(value, `must be ${what}`);
    },
    { type: 'string', pattern: pattern.source },
  );
}
