import { compact } from '../../model/compact';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { boolean, nonEmptyText } from '../../shapes/shapes';

export interface Artifacts {
  readonly enabled: boolean;
  readonly dir?: string;
}

const artifactsKind = objectKind({
  title: 'artifacts',
  keys: {
    enabled: keySpec('Whether each run has an artifact folder; default: whether dir is given', boolean),
    dir: keySpec('Folder that contains the artifact folders of all runs', nonEmptyText),
  },
});

export const artifacts = objectShape(artifactsKind, ({ enabled, dir }): Artifacts => ({
  enabled: enabled?.value ?? dir !== undefined,
  ...compact({ dir: dir?.value }),
}));
