import { dagFindings } from './dag-findings';
import { flowFindings } from './flow-findings';
import { keyFindings } from './key-findings';
import { outputFindings } from './output-findings';
import { paramFindings } from './param-findings';
import { referenceFindings } from './reference-findings';
import { stepFindings } from './step-findings';
import { textFindings } from './text-findings';
import { workFindings } from './work-findings';

/** Every code a finding can have. Codes are stable, because programs compare them; messages are for people. */
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

export type FindingCode = keyof typeof findingCatalogue;
