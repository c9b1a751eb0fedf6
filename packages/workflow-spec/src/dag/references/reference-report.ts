import type { FindingCode } from '../../source/findings/catalogue/finding-catalogue';
import type { SuggestedFix, SourceLocation } from '../../source/findings/source-location';
import type { ReadContext } from '../../source/yaml/yaml-value';

/** Reports findings about references, limited in number so that they do not crowd out errors. */
export interface ReferenceReport {
  add(context: ReadContext, code: FindingCode, location: SourceLocation, message: string, fix?: SuggestedFix): void;
}

/** The limit is per file. None of the findings is an error, so the first ones are enough to start with. */
const maxDefects = 200;
const maxNotices = 200;

export function createReferenceReport(): ReferenceReport {
  let defects = 0;
  let notices = 0;
  return {
    add: ({ report }, code, location, message, fix) => {
      const isNotice = code === 'reference_at_run_time' || code === 'reference_orders_steps';
      const room = isNotice ? (notices += 1) <= maxNotices : (defects += 1) <= maxDefects;
      if (room) report.add(code, location, message, fix);
    },
  };
}
