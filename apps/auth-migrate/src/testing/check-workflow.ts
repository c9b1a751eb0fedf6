import { checkText } from '../check-text';
import { applyEdits, type Finding } from '../finding';

const target = 'org/auth-action@v0';

/** A workflow with one job that has these lines as its steps. */
export function workflow(...lines: readonly string[]): string {
  return ['on: push', 'jobs:', '  deploy:', '    steps:', ...lines.map((line) => `      ${line}`), ''].join('\n');
}

/** A workflow whose one step uses an action with these lines as its inputs. */
export function using(action: string, inputs: readonly string[]): string {
  return workflow(`- uses: ${action}`, '  with:', ...inputs.map((line) => `    ${line}`));
}

export function check(text: string): readonly Finding[] {
  const report = checkText(text, target);
  if ('unreadable' in report) throw new Error(report.unreadable);
  return report.findings;
}

export function migrate(text: string): string {
  return applyEdits(
    text,
    check(text).flatMap(({ edit }) => edit ?? []),
  );
}

/** The messages about what a person has to change. */
export function manual(text: string): readonly string[] {
  return check(text).flatMap(({ kind, message }) => (kind === 'manual' ? [message] : []));
}
