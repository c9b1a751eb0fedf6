import { z } from 'zod';
import type { WorkerLabels } from '@weir/workflow-engine';

// Names as worker_selector has them. Values end at a comma.
const labelPattern = /^([A-Za-z0-9][A-Za-z0-9_./-]{0,127})=(.{0,256})$/;

/** `gpu=a100,region=eu` */
export const WorkerLabelList = z.string().transform((text, context): WorkerLabels => {
  const labels: Record<string, string> = {};
  for (const entry of text.split(',').flatMap((part) => part.trim() || [])) {
    const [, name, value = ''] = labelPattern.exec(entry) ?? [];
    if (name === undefined) {
      context.addIssue({ code: 'custom', message: 'must be comma-separated labels such as gpu=a100' });
    } else if (Object.hasOwn(labels, name)) {
      context.addIssue({ code: 'custom', message: `names the label ${name} twice` });
    } else labels[name] = value;
  }
  return labels;
});
