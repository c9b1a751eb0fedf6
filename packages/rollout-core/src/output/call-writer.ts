import type { CallSink } from '../call-text/call-sink';
import type { OutputEvent } from './output-event';
import { findTextEnd, findTextStart } from '../call-text/space';

export interface CallWriterOptions {
  readonly toolNames: ReadonlySet<string>;
  readonly newCallId: () => string;
  readonly maxCalls: number;
  readonly maxArgumentLength: number;
}

/**
 * Converts text and calls to events. Whitespace next to a call is buffered: it is emitted before following text, unless
 * no text precedes it, and never at the end.
 */
export class CallWriter implements CallSink {
  private events: OutputEvent[] = [];
  private calls = 0;
  private readonly ids = new Set<string>();
  private hasText = false;
  private space = '';
  private started: { readonly id: string; readonly name: string } | undefined;
  /** Arguments that are not emitted yet. */
  private pieces: string[] = [];
  private length = 0;

  constructor(private readonly options: CallWriterOptions) {}

  take(): readonly OutputEvent[] {
    const events = this.events;
    this.events = [];
    return events;
  }

  /** Buffered whitespace becomes text only when `finish` finds no call. */
  text(text: string): void {
    if (text === '') return;
    const end = findTextEnd(text);
    if (end === 0) {
      this.space += text;
      return;
    }
    if (this.space !== '' && (this.hasText || this.calls === 0)) this.emitText(this.space);
    this.space = text.slice(end);
    const first = this.hasText || this.calls === 0 ? 0 : findTextStart(text);
    this.emitText(text.slice(first, end));
    this.hasText = true;
  }

  finish(): void {
    if (this.space !== '' && this.calls === 0) this.emitText(this.space);
    this.space = '';
  }

  start(name: string, id?: string): boolean {
    if (!this.options.toolNames.has(name) || this.calls >= this.options.maxCalls) return false;
    const isFree = id !== undefined && !this.ids.has(id);
    this.started = { id: isFree ? id : this.options.newCallId(), name };
    return true;
  }

  write(text: string): boolean {
    this.length += text.length;
    if (this.length > this.options.maxArgumentLength) return false;
    this.pieces.push(text);
    return true;
  }

  remainingLength(): number {
    return this.options.maxArgumentLength - this.length;
  }

  end(): void {
    if (this.started === undefined) return;
    const index = this.calls;
    const text = this.length === 0 ? '{}' : this.pieces.join('');
    this.events.push(
      { kind: 'call_started', index, ...this.started },
      { kind: 'call_arguments', index, text },
      { kind: 'call_ended', index },
    );
    this.calls++;
    this.ids.add(this.started.id);
    this.abandonCall();
  }

  /** Drops the started call, because the text since the last complete call is not a call. */
  abandonCall(): void {
    this.started = undefined;
    this.pieces = [];
    this.length = 0;
  }

  private emitText(text: string): void {
    this.events.push({ kind: 'text', text });
  }
}
