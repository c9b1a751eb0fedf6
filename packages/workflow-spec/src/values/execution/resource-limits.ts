import { compact } from '../../model/compact';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readText } from '../../shapes/readers';
import { shape, type Shape } from '../../shapes/shape';
import { reportInvalid, orReference } from '../../shapes/shapes';

export interface ResourceLimits {
  /** Cores such as `1.5`, or millicores such as `500m`. */
  readonly cpu?: string;
  readonly memory?: string;
}

function quantity(pattern: RegExp, what: string): Shape<string> {
  return orReference(
    shape<string>(
      (value) => {
        const found = readText(value);
        if (found === undefined || (pattern.test(found) && Number.parseFloat(found) > 0)) return found;
        return reportInvalid(value, what);
      },
      {
        anyOf: [
          { type: 'string', pattern: pattern.source },
          { type: 'number', exclusiveMinimum: 0 },
        ],
      },
    ),
  );
}

const limitsKind = objectKind({
  title: 'resource limits',
  keys: {
    cpu: keySpec(
      'CPU cores: 1.5, or 500m for half a core',
      quantity(/^(?:\d{1,9}m|\d{1,6}(?:\.\d{1,3})?)$/, 'must be a number of CPU cores above 0, such as 1.5 or 500m'),
    ),
    memory: keySpec(
      'Memory: 512Mi',
      quantity(/^\d{1,15}(?:\.\d{1,3})?(?:[KMGT]i?|k)?$/, 'must be an amount of memory above 0, such as 512Mi or 2G'),
    ),
  },
});

const resourcesKind = objectKind({
  title: 'resources',
  keys: {
    limits: keySpec(
      'Maximum resources of the run',
      objectShape(limitsKind, ({ cpu, memory }): ResourceLimits => compact({ cpu: cpu?.value, memory: memory?.value })),
      { required: true },
    ),
  },
});

/** The limits are enforced where the platform supports it. */
export const resources = objectShape(resourcesKind, ({ limits }) => limits?.value);
