import type { RunStatus } from '../../model/statuses/run-status';
import { nodeStatus, type NodeStatus } from '../../model/statuses/node-status';
import { html, raw, type Html } from './html';

export interface RunMailStep {
  readonly name: string;
  readonly status: NodeStatus;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly error: string | null;
}

export interface RunMailDetails {
  readonly dagName: string;
  readonly dagRunId: string;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly error: string | null;
  readonly steps: readonly RunMailStep[];
  /** Prefix of the subject. */
  readonly prefix?: string | undefined;
  /** An additional remark for the reader, as one sentence. */
  readonly note?: string | undefined;
}

export interface RunMailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Keeps the mail below the size that mailboxes accept. */
const maxRows = 500;
const maxErrorLength = 1_000;

const columns = ['Step', 'Started', 'Finished', 'Status', 'Error'] as const;

/** Composes the mail about a run: the subject, and a table of its steps as HTML and as text. */
export function composeRunMail(details: RunMailDetails, status: RunStatus): RunMailText {
  return compose(details, `${details.dagName} (${formatStatus(status)})`, formatStatus(status));
}

/** Composes the mail about one failed step, whose run may still be active. */
export function composeStepMail(details: RunMailDetails, step: RunMailStep): RunMailText {
  const end = formatStatus(step.status);
  return compose(
    { ...details, steps: [step] },
    `${details.dagName}: ${step.name} (${end})`,
    `step ${step.name}: ${end}`,
  );
}

function compose(details: RunMailDetails, title: string, status: string): RunMailText {
  const { prefix = '', note } = details;
  const lines: readonly (readonly [string, string])[] = [
    ['DAG', details.dagName],
    ['Run', details.dagRunId],
    ['Status', status],
    ['Started', formatTime(details.startedAt)],
    ['Finished', formatTime(details.finishedAt)],
    ...(details.error === null ? [] : [['Error', truncate(details.error)] as const]),
  ];
  const rows = shownSteps(details.steps).map(cells);
  const left = details.steps.length - rows.length;
  const notes = [...(left === 0 ? [] : [`${left} more steps are not shown.`]), ...(note === undefined ? [] : [note])];
  return {
    subject: [prefix.trim(), title].filter((part) => part !== '').join(' '),
    text: asText(lines, rows, notes),
    html: asHtml(title, { lines, rows, notes }).markup,
  };
}

/** In the order of the DAG; when there are too many, unsuccessful steps come first. */
function shownSteps(steps: readonly RunMailStep[]): readonly RunMailStep[] {
  if (steps.length <= maxRows) return steps;
  const isSuccessful = ({ status }: RunMailStep): boolean => nodeStatus.isPassed(status);
  return [...steps.filter((step) => !isSuccessful(step)), ...steps.filter(isSuccessful)].slice(0, maxRows);
}

function cells({ name, startedAt, finishedAt, status, error }: RunMailStep): readonly string[] {
  return [name, formatTime(startedAt), formatTime(finishedAt), formatStatus(status), truncate(error ?? '')];
}

function asText(
  lines: readonly (readonly [string, string])[],
  rows: readonly (readonly string[])[],
  notes: readonly string[],
): string {
  const head = lines.map(([name, value]) => `${name}: ${value}`);
  const steps = rows.map(([name = '', started = '', finished = '', status = '', error = '']) =>
    [`- ${name}: ${status}`, `  ${started} to ${finished}`, ...(error === '' ? [] : [`  ${error}`])].join('\n'),
  );
  return `${[head.join('\n'), steps.join('\n'), notes.join('\n')].filter((part) => part !== '').join('\n\n')}\n`;
}

interface Content {
  readonly lines: readonly (readonly [string, string])[];
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

// Mail programs ignore style sheets, so every cell has inline styles.
const cellStyle = raw(' style="border:1px solid #ccc;padding:4px 8px;text-align:left;vertical-align:top"');
const tableStyle = raw(' style="border-collapse:collapse;font-family:sans-serif;font-size:14px"');

function asHtml(title: string, { lines, rows, notes }: Content): Html {
  const details = lines.map(([name, value]) => html`<p><b>${name}:</b> ${value}</p> `);
  const head = columns.map((column) => html`<th${cellStyle}>${column}</th>`);
  const body = rows.map(
    (row) =>
      html`<tr>
        ${row.map((cell) => html`<td${cellStyle}>${cell}</td>`)}
      </tr> `,
  );
  const ends = notes.map((note) => html`<p>${note}</p> `);
  return html`<!doctype html>
<html><head><meta charset="utf-8"><title>${title}</title></head><body>
${details}<table${tableStyle}>
<tr>${head}</tr>
${body}</table>
${ends}</body></html>
`;
}

function formatStatus(status: RunStatus | NodeStatus): string {
  return status.replaceAll('_', ' ');
}

function formatTime(at: Date | null): string {
  return at === null ? '-' : at.toISOString();
}

function truncate(error: string): string {
  return error.length <= maxErrorLength ? error : `${error.slice(0, maxErrorLength)}…`;
}
