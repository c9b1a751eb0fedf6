import type { FindingReport } from '../finding-report';
import type { ReadContext, YamlValue } from '../yaml/yaml-value';
import type { CustomCall } from './expand-call';

/** What is wrong inside a template is said once, however many steps call the action. */
export function templateContext({ action, step }: CustomCall, template: YamlValue | undefined): ReadContext {
  const { context } = step;
  if (!template) return context;
  const [start, end] = template.range;
  const add: FindingReport['add'] = (code, spot, message, fix) => {
    const [from, to] = spot.range;
    if (from < start || to > end) return context.report.add(code, spot, message, fix);
    const mark = `${code} ${from} ${to} ${message}`;
    if (action.reported.has(mark)) return;
    action.reported.add(mark);
    context.report.add(code, spot, message, fix);
  };
  return { ...context, report: { ...context.report, add } };
}
