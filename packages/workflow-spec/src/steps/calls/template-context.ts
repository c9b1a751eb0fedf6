import type { FindingReport } from '../../source/findings/report/finding-report';
import type { ReadContext, YamlValue } from '../../source/yaml/yaml-value';
import type { CustomCall } from './custom-call';

/** Reports each finding inside a template once, however many steps call the action. */
export function templateContext({ action, step }: CustomCall, template: YamlValue | undefined): ReadContext {
  const { context } = step;
  if (!template) return context;
  const [start, end] = template.range;
  const add: FindingReport['add'] = (code, location, message, fix) => {
    const [from, to] = location.range;
    if (from < start || to > end) return context.report.add(code, location, message, fix);
    const identity = `${code} ${from} ${to} ${message}`;
    if (action.reported.has(identity)) return;
    action.reported.add(identity);
    context.report.add(code, location, message, fix);
  };
  return { ...context, report: { ...context.report, add } };
}
