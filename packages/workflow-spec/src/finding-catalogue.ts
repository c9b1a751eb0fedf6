import { actionFindings } from './catalogue/action-findings';
import { dagFindings } from './catalogue/dag-findings';
import { flowFindings } from './catalogue/flow-findings';
import { keyFindings } from './catalogue/key-findings';
import { outputFindings } from './catalogue/output-findings';
import { paramFindings } from './catalogue/param-findings';
import { referenceFindings } from './catalogue/reference-findings';
import { stepFindings } from './catalogue/step-findings';
import { textFindings } from './catalogue/text-findings';
import { workFindings } from './catalogue/work-findings';

/** Every code a finding can have. Codes are stable: programs compare them, people read the message. */
export const findingCatalogue = {
  ...textFindings,
  ...keyFindings,
  ...dagFindings,
  ...paramFindings,
  ...stepFindings,
  ...flowFindings,
  ...workFindings,
  ...actionFindings,
  ...outputFindings,
  ...referenceFindings,
} as const;

/** The code of a {@link Finding}. */
export type FindingCode = keyof typeof findingCatalogue;
