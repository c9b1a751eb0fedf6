import { parsed, wrong, type Parsed } from './parsed';
import { show } from './show';
import { findSlip } from './slips';

const uniqueId = /^\d{10,30}$/;
const accountEmail = /^[a-z0-9][a-z0-9.-]{0,99}@(?:[a-z0-9-]{1,63}\.){0,9}gserviceaccount\.com$/;
const anyEmail = /^[^\s@"'<>()[\]\\,;:]{1,64}@(?:[a-z0-9-]{1,63}\.){1,9}[a-z0-9-]{2,63}$/i;
const projectAccount = /^[^@]+@(?<project>[a-z0-9-]+)(?:\.(?<domain>[a-z0-9.-]+))?\.iam\.gserviceaccount\.com$/;
const projectForm = /^(?:[a-z0-9][a-z0-9.-]{0,199}:)?[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/** Email or unique id of a service account; the prefixes of resource names and of policies are taken off. */
export function parseAccount(text: string): Parsed<string> {
  const slip = findSlip(text);
  if (slip !== undefined) return slip;
  const account = text.replace(/^(?:projects\/[^/]+\/serviceAccounts\/|serviceAccount:)/, '');
  if (uniqueId.test(account) || accountEmail.test(account)) return parsed(account);
  const sentence = anyEmail.test(account)
    ? 'which is not the email of a service account: those are in lower case and end in gserviceaccount.com.'
    : 'which is neither an email nor a unique id. Give all of <name>@<project>.iam.gserviceaccount.com.';
  return wrong('account_invalid', `is ${show(text)}, ${sentence}`);
}

/** Email of a user. */
export function parseUserEmail(text: string): Parsed<string> {
  const slip = findSlip(text);
  if (slip !== undefined) return slip;
  if (anyEmail.test(text)) return parsed(text);
  return wrong('email_invalid', `is ${show(text)}, which is no email. Give the user as user@example.com.`);
}

export function parseProjectId(text: string): Parsed<string> {
  const slip = findSlip(text);
  if (slip !== undefined) return slip;
  if (projectForm.test(text)) return parsed(text);
  return wrong(
    'project_invalid',
    `is ${show(text)}, which is no project id. Give lower-case letters, digits and hyphens (example.com:project for one of a domain), not the project's display name.`,
  );
}

/**
 * The project that an account's email names. Accounts that the cloud makes for its own services name none of the
 * user's: `…@developer.…`, `…@appspot.…`, `service-…@gcp-sa-….iam.…`, and in other universes `….<prefix>-system.iam.…`.
 */
export function projectOfAccount(account: string): string | undefined {
  const { project, domain } = projectAccount.exec(account)?.groups ?? {};
  if (project === undefined || project.startsWith('gcp-sa-') || domain?.endsWith('-system') === true) return undefined;
  return domain === undefined ? project : `${domain}:${project}`;
}
