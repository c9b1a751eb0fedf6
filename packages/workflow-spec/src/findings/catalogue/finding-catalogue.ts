import { dagFindings } from './dag-findings';
import { flowFindings } from './flow-findings';
import { keyFindings } from './key-findings';
import { outputFindings } from './output-findings';
import { paramFindings } from './param-findings';
import { referenceFindings } from './reference-findings';
import { stepFindings } from './step-findings';
import { textFindings } from './text-findings';
import { workFindings } from './work-findings';

/** Every code a finding can have. Codes are stable: programs compare them, people read the message. */
export const findingCatalogue = {
  ...textFindings,
  ...keyFindings,
  ...dagFindings,
  ...paramFindings,
  ...stepFindings,
  ...flowFindings,
  ...workFindings,
  ...outputFindings,
  ...referenceFindings,
} as const;

/** The code of a {@link Finding}. */
export type FindingCode = keyof typeof findingCatalogue;
