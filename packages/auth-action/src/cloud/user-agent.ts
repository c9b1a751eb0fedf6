import { headerText } from './header-text';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * `weir-auth-action/<version> (<repository>; run <id>/<attempt>)`. Audit logs contain it, which links an entry to the
 * job. Parts that the environment does not set are omitted.
 */
export function createUserAgent(version: string, env: Env): string {
  const product = `weir-auth-action/${headerText(version)}`;
  const origin = [env.GITHUB_REPOSITORY, formatRun(env)].flatMap((part) => commentText(part));
  return origin.length === 0 ? product : `${product} (${origin.join('; ')})`;
}

function formatRun(env: Env): string | undefined {
  const [id, attempt] = [env.GITHUB_RUN_ID, env.GITHUB_RUN_ATTEMPT];
  if (!id) return undefined;
  return attempt ? `run ${id}/${attempt}` : `run ${id}`;
}

// Parentheses, semicolons and backslashes are special in the comment of a user agent.
function commentText(part: string | undefined): readonly string[] {
  const text = headerText(part ?? '').replaceAll(/[()\\;]/g, '_');
  return text === '' ? [] : [text];
}
