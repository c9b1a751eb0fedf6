import type { FindingCode } from '../finding-catalogue';
import type { FixText, Spot } from '../finding-report';
import type { ReadContext } from '../yaml/yaml-value';

/** Says what is wrong with references, and stops before what is said crowds out the errors of the file. */
export interface ReferenceReport {
  add(context: ReadContext, code: FindingCode, spot: Spot, message: string, fix?: FixText): void;
}

/** Of one file. None of them keeps the file from running, so nobody needs more to begin mending. */
const shownDefects = 200;
const shownNotices = 200;

export function createReferenceReport(): ReferenceReport {
  let defects = 0;
  let notices = 0;
  return {
    add: ({ report }, code, spot, message, fix) => {
      const isNotice = code === 'reference_at_run_time';
      const room = isNotice ? (notices += 1) <= shownNotices : (defects += 1) <= shownDefects;
      if (room) report.add(code, spot, message, fix);
    },
  };
}
