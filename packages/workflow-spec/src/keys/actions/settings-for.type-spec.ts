import type { CompositeActionName, ExecutableActionName, SettingsFor } from './action-catalogue';

declare const exec: SettingsFor<'exec'>;
declare const http: SettingsFor<'http.request'>;
declare const js: SettingsFor<'js.run'>;
declare const ssh: SettingsFor<'ssh.run'>;

export const command: string = exec.command;

// @ts-expect-error only a setting that is required is always there
export const args: readonly string[] = exec.args;

// @ts-expect-error exec has no such setting
export const timeout: unknown = exec.timeout;

// What may be a reference in a file has the type of its value here, and no text.
export const memoryMb: number | undefined = js.memory_mb;
export const language: 'javascript' | 'typescript' | undefined = js.language;
export const acceptsAnyCertificate: boolean | undefined = http.skip_tls_verify;
export const files: Readonly<Record<string, readonly string[]>> | undefined = http.files;
export const bastionPort: number | undefined = ssh.bastion?.port;

// @ts-expect-error the run itself executes it
export const child: ExecutableActionName = 'dag.run';

export const composites: Readonly<Record<CompositeActionName, true>> = {
  'dag.run': true,
  'dag.enqueue': true,
  'human.task': true,
  'router.route': true,
};
