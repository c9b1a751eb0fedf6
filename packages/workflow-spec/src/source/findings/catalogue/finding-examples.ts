import type { FindingExample } from './catalogue-entry';
import { dagExamples } from './dag-examples';
import { flowExamples } from './flow-examples';
import { keyExamples } from './key-examples';
import { outputExamples } from './output-examples';
import { paramExamples } from './param-examples';
import { referenceExamples } from './reference-examples';
import { stepExamples } from './step-examples';
import { textExamples } from './text-examples';
import { workExamples } from './work-examples';
import type { FindingCode } from './finding-catalogue';

/** Of each finding. Apart from the catalogue, because an editor has no use for them. */
export const findingExamples: Readonly<Record<FindingCode, FindingExample>> = {
  ...textExamples,
  ...keyExamples,
  ...dagExamples,
  ...paramExamples,
  ...stepExamples,
  ...flowExamples,
  ...workExamples,
  ...outputExamples,
  ...referenceExamples,
};
