import { names } from '@nx/devkit';

/** Every spelling that the templates need. */
export interface FeatureNames {
  /** `run-label` */
  readonly name: string;
  /** `run-labels` */
  readonly plural: string;
  /** `RunLabel` */
  readonly className: string;
  /** `RunLabels` */
  readonly pluralClass: string;
  /** `runLabel` */
  readonly propertyName: string;
  /** `runLabels` */
  readonly pluralProperty: string;
  /** `run label` */
  readonly words: string;
  /** `run labels` */
  readonly pluralWords: string;
  /** `a run label` */
  readonly oneOf: string;
  /** `run_label` */
  readonly snake: string;
}

export function featureNames(name: string, plural = `${name}s`): FeatureNames {
  if (plural === name) throw new Error('The plural must differ from the name.');
  const words = name.replaceAll('-', ' ');
  return {
    name,
    plural,
    className: names(name).className,
    pluralClass: names(plural).className,
    propertyName: names(name).propertyName,
    pluralProperty: names(plural).propertyName,
    words,
    pluralWords: plural.replaceAll('-', ' '),
    oneOf: `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${words}`,
    snake: name.replaceAll('-', '_'),
  };
}
