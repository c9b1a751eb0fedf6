import { headerText } from './header-text';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * `weir-auth-action/<version> (<repository>; run <id>/<attempt>)`: the audit logs of the cloud keep it, so that an
 * entry leads back to the job. Parts that the environment does not tell are left out.
 */
export function createUserAgent(version: string, env: Env): string {
  const product = `weir-auth-action/${headerText(version)}`;
  const origin = [env.GITHUB_REPOSITORY, runOf(env)].flatMap((part) => commentText(part));
  return origin.length === 0 ? product : `${product} (${origin.join('; ')})`;
}

function runOf(env: Env): string | undefined {
  const [id, attempt] = [env.GITHUB_RUN_ID, env.GITHUB_RUN_ATTEMPT];
  if (!id) return undefined;
  return attempt ? `run ${id}/${attempt}` : `run ${id}`;
}

// Brackets, semicolons and backslashes have a meaning within the comment of a user agent.
function commentText(part: string | undefined): readonly string[] {
  const text = headerText(part ?? '').replaceAll(/[()\\;]/g, '_');
  return text === '' ? [] : [text];
}
