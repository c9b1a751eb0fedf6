import type { ActionName, CompositeActionName, ExecutableActionName, SettingsFor } from './action-catalogue';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const assert = <T extends true>(): T | undefined => undefined;

// Inferred from the shapes: what may be a reference in a file has the type of its value here.
assert<Equal<SettingsFor<'exec'>, { readonly command: string; readonly args?: readonly string[] }>>();
assert<Equal<SettingsFor<'wait.duration'>['duration'], string | number>>();
assert<Equal<SettingsFor<'js.run'>['language'], 'javascript' | 'typescript' | undefined>>();
assert<Equal<SettingsFor<'js.run'>['memory_mb'], number | undefined>>();
assert<Equal<SettingsFor<'http.request'>['skip_tls_verify'], boolean | undefined>>();
assert<Equal<SettingsFor<'wait.http'>['status'], readonly number[] | undefined>>();
assert<Equal<NonNullable<SettingsFor<'ssh.run'>['bastion']>['port'], number | undefined>>();
assert<Equal<SettingsFor<'docker.run'>['keep_container'], boolean | undefined>>();

assert<Equal<CompositeActionName, 'dag.run' | 'dag.enqueue' | 'human.task' | 'router.route'>>();
assert<Equal<Extract<ExecutableActionName, `git.${string}`>, never>>();
assert<Equal<Extract<ActionName, `git.${string}`>, 'git.checkout' | 'git.worktree.add' | 'git.worktree.remove'>>();
assert<Equal<Extract<CompositeActionName, ExecutableActionName>, never>>();
