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

/** Examples of each finding, separate from the catalogue, because editors do not need them. */
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
